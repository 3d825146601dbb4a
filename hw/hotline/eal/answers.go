package eal

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
)

// ealAnswers is the crossbar from all banks to half of the engines. In every cycle, an engine
// accepts an answer from each group of banks. So there are no queues: the arbiter of a group picks
// a bank, and the other banks wait.
type ealAnswers struct {
	Engines    int `doc:"lookup engines"`
	Banks      int `doc:"EAL banks"`
	TicketBits int `doc:"place of a lookup in its window" unit:"bits"`
	WayBits    int `doc:"way of a set" unit:"bits"`
}

// answersPorts are the ports of ealAnswers. Bank g + AnswerGroups·i is source g·(B/AnswerGroups) +
// i, where B is the number of banks.
type answersPorts struct {
	In  hw.Array[hw.Stream[addressed]] `hw:"in,len=Banks" doc:"answers, by bank and group"`
	Out hw.Array[Reply]                `hw:"out,len=Ports" doc:"answers, by engine and group"`
}

// EngineBits returns the width of an engine's number.
func (p ealAnswers) EngineBits() int { return arch.Log2(p.Engines) }

// Ports returns the number of answer ports of the engines that the crossbar serves.
func (p ealAnswers) Ports() int { return AnswerGroups * p.served() }

func (p ealAnswers) served() int { return p.Engines / EngineGroups }

// Build describes the crossbar.
func (p ealAnswers) Build(m *hw.Module) answersPorts {
	m.Doc("Crossbar from the banks to every second engine; up to one answer per group of banks, engine and cycle.")
	io := hw.Ports[answersPorts](m)
	engines, size := p.served(), p.Banks/AnswerGroups
	words := m.WireVec("word", p.Banks, hw.Of[Answer](p).Bits())
	m.For("source", p.Banks, func(i hw.Index) { words.At(i).Set(hw.Pack(io.In.At(i).Data.Answer)) })
	dest := io.In.Vec(func(s hw.Stream[addressed]) hw.Bits { return s.Data.Engine })
	requests := hw.Route(hw.Valids(io.In).Pack(), dest, engines).As("request")
	grants := m.WireVec("grant", engines, p.Banks)
	m.For("engine", engines, func(j hw.Index) {
		request := requests.At(j).Unpack(size)
		picks := m.WireVec("picks", AnswerGroups, size)
		m.For("group", AnswerGroups, func(g hw.Index) {
			above := m.Reg("above", size, 0)
			valid, answer := m.Reg("valid", 1, 0), hw.Data[Answer](m, "answer")
			pick := arb.Pick(request.At(g), above).As("pick")
			picks.At(g).Set(pick)
			valid.Set(pick.Any())
			m.When(pick.Any(), func() {
				above.Set(arb.Above(pick))
				hw.Set(answer, hw.Unpack[Answer](m, section(words, g, size).Select(pick)))
			})
			hw.Set(io.Out.At(j.Times(AnswerGroups).Add(g)), Reply{Valid: valid, Answer: answer})
		})
		grants.At(j).Set(picks.Pack())
	})
	hw.Readies(io.In).Set(grants.ReduceOr().Unpack(1))
	return io
}

// section returns elements g·size to (g+1)·size-1 of v.
func section(v hw.Vec, g hw.Index, size int) hw.Vec {
	elems := make([]hw.Bits, size)
	for k := range elems {
		elems[k] = v.At(g.Times(size).Plus(k))
	}
	return hw.VecOf(elems...)
}
