package eal

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/stream"
	trial "github.com/hotline-rtl/hotline/sim/bench"
)

// within asserts that waits does not stay 1 for more than limit cycles in which step is 1.
func within(m *hw.Module, name string, limit int, step, waits hw.Bits) {
	age := m.Reg(name+"_age", hw.CountWidth(limit+1), 0)
	age.Set(hw.Mux(waits, age.Add(step.Ext(age.Width())), hw.K(0)))
	m.Assert(waits.And(age.Eq(hw.K(limit))).Not(), "no wait is too long")
}

func keeps[T any](m *hw.Module, name string, s hw.Stream[T], rule func(*hw.Module, string, hw.Shape[hw.Bits], hw.Stream[hw.Bits])) {
	x := stream.Map(s, hw.Pack[T])
	rule(m, name, hw.Width(x.Data.Width()), x)
}

// serving is a bank that probes or learns, with arbitrary stalls of its answers. The proof follows
// the access with ticket 1, of which there is at most one at a time.
type serving struct {
	ealBank
	Taken, Answered int // maximum rounds that an access waits until it is accepted, and for its answer
}

// ModuleName returns the name of the proof.
func (serving) ModuleName() string { return "serving" }

func (p serving) Build(m *hw.Module) bankPorts {
	io := hw.Ports[bankPorts](m)
	bank := hw.Inst(m, "bank", p.ealBank)
	hw.Connect(bank.Access, io.Access)
	for _, pair := range [][2]hw.Bits{{bank.Learn, io.Learn}, {bank.Clear, io.Clear}, {bank.ClearSet, io.ClearSet}, {bank.Stretch, io.Stretch}, {bank.Scan, io.Scan}, {bank.ScanSet, io.ScanSet}} {
		pair[0].Set(pair[1])
	}
	io.Changed.Set(bank.Changed)
	io.Scanned.Set(bank.Scanned)
	learn := m.Data("learn_before", 1)
	learn.Set(io.Learn)
	m.Assume(io.Learn.Eq(learn).And(io.Clear.Or(io.Scan).Not()), "a bank is cleared and scanned at other times, and learn holds")
	keeps(m, "access", io.Access, stream.Assume)

	follow := io.Access.Data.Ticket.Bit(0)
	under := m.Reg("under_way", 1, 0)
	answered := hw.K(0).And(under)
	var stalls []hw.Bits
	for g := range EngineGroups {
		a := io.Answer.N(g)
		a.Connect(bank.Answer.N(g))
		stalls = append(stalls, a.Valid.And(a.Ready.Not()))
		keeps(m, fmt.Sprint("answer", g), a, stream.Check)
		answered = answered.Or(a.Fire().And(a.Data.Ticket.Bit(0)))
	}
	m.Assume(io.Access.Valid.And(follow).And(under).Not(), "one access is followed")
	m.Assert(answered.Not().Or(under), "an answer has an access")
	under.Set(under.And(answered.Not()).Or(io.Access.Fire().And(follow)))
	round := stream.Round(m, "answers", stalls)
	within(m, "access", p.Taken, round, io.Access.Valid.And(io.Access.Ready.Not()))
	within(m, "answer", p.Answered, round, under.And(answered.Not()))
	return io
}

// spreading is the crossbar to half of the engines.
type spreading struct{ ealAnswers }

// ModuleName returns the name of the proof.
func (spreading) ModuleName() string { return "spreading" }

func (p spreading) Build(m *hw.Module) answersPorts {
	io := hw.Ports[answersPorts](m)
	net := hw.Inst(m, "net", p.ealAnswers)
	for i := range p.Banks {
		in := io.In.N(i)
		net.In.N(i).Connect(in)
		keeps(m, fmt.Sprint("in", i), in, stream.Assume)
		within(m, fmt.Sprint("bank", i), p.Banks/AnswerGroups-1, hw.Lit(1, 1), in.Valid.And(in.Ready.Not()))
	}
	for i := range p.Ports() {
		hw.Set(io.Out.N(i), net.Out.N(i))
	}
	return io
}

func elaborated[P any](t *testing.T, g hw.Generator[P]) *ir.Design {
	d, err := hw.Elaborate(g)
	require.NoError(t, err)
	return d
}

func TestFormalBank(t *testing.T) {
	p := serving{ealBank{EngineBits: 2, TagBits: 1, SetBits: 1, TicketBits: 1, Ways: 2}, 6, 14}
	d := elaborated(t, p)
	formal.Holds(t, d)
	trial.Stick(d, "eal_bank", "finish_valid")
	formal.Fails(t, d, "no wait is too long")
}

func TestFormalAnswers(t *testing.T) {
	d := elaborated(t, spreading{ealAnswers{Engines: 4, Banks: 8, TicketBits: 1, WayBits: 1}})
	formal.Holds(t, d)
	trial.Stick(d, "eal_answers", "above")
	formal.Fails(t, d, "no wait is too long")
}
