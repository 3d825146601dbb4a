package eal

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/hw/lib/lanes"
)

// answers is the crossbar from all banks to half of the engines. An engine takes
// an answer of each group of banks in every cycle, so there are no queues: the
// bank that a group's arbiter picks sends, the others wait.
type answers struct{ arch.Params }

// answersPorts are the ports. Bank g + AnswerGroups·i is source g·(B/AnswerGroups) + i.
type answersPorts struct {
	In   lanes.Lanes // of B, answers
	Dest hw.Vec      // the engine of each, without its low bit
	Out  Answers     // of E/2 engines
}

// ModuleName names the module.
func (p answers) ModuleName() string { return "eal_answers" }

// Build describes the crossbar.
func (p answers) Build(m *hw.Module) answersPorts {
	m.Doc("Crossbar from the banks to every second engine; up to one answer per group of banks, engine and cycle.")
	engines, size := p.Engines/EngineGroups, p.Banks/AnswerGroups
	io := answersPorts{
		In:   lanes.Sink(m, "in", p.Banks, AnswerWidth(p.Params)),
		Dest: m.InVec("in_dest", p.Banks, arch.Log2(engines)),
		Out:  answersOut(m, "out", engines, p.Params),
	}
	requests := hw.Route(io.In.Valid.Pack(), io.Dest, engines).As("request")
	grants := m.WireVec("grant", engines, p.Banks)
	m.For("engine", engines, func(j hw.Index) {
		request := requests.At(j).Unpack(size)
		picks := m.WireVec("picks", AnswerGroups, size)
		m.For("group", AnswerGroups, func(g hw.Index) {
			above := m.Reg("above", size, 0)
			valid, word := m.Reg("valid", 1, 0), m.Data("word", AnswerWidth(p.Params))
			pick := arb.Pick(request.At(g), above).As("pick")
			picks.At(g).Set(pick)
			valid.Set(pick.Any())
			m.When(pick.Any(), func() {
				above.Set(arb.Above(pick))
				word.Set(section(io.In.Data, g, size).Select(pick))
			})
			out := j.Times(AnswerGroups).Add(g)
			io.Out.Valid.At(out).Set(valid)
			io.Out.Data.At(out).Set(word)
		})
		grants.At(j).Set(picks.Pack())
	})
	io.In.Ready.Set(grants.ReduceOr().Unpack(1))
	return io
}

// section is the g-th part of v that has size elements.
func section(v hw.Vec, g hw.Index, size int) hw.Vec {
	elems := make([]hw.Bits, size)
	for k := range elems {
		elems[k] = v.At(g.Times(size).Plus(k))
	}
	return hw.VecOf(elems...)
}
