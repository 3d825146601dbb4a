package isa

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/formal"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// leaving is a Completer with arbitrary inputs, and a record of the completions that have left.
type leaving struct{ Completer }

// ModuleName returns the name of the proof.
func (leaving) ModuleName() string { return "leaving" }

func (p leaving) Build(m *hw.Module) CompleterPorts {
	io := hw.Ports[CompleterPorts](m)
	unit := hw.Inst(m, "completer", p.Completer)
	hw.Connect(unit.Outcome, io.Outcome)
	unit.Base.Set(io.Base)
	unit.Log2.Set(io.Log2)
	unit.Head.Set(io.Head)
	unit.Taken.Set(io.Taken)
	io.Tail.Set(unit.Tail)
	hw.Connect(io.Packet, unit.Packet)
	hw.Connect(io.Data, unit.Data)
	unit.WritePending.Set(io.WritePending)
	hw.Set(unit.WriteError, io.WriteError)
	hw.Set(io.Error, unit.Error)
	io.Left.Set(unit.Left)
	io.Waiting.Set(unit.Waiting)

	offered := m.Reg("offered", 1, 0)
	offered.Set(io.Outcome.Valid.And(io.Outcome.Ready.Not()))
	m.When(offered, func() { m.Assume(io.Outcome.Valid, "outcomes stay until they are taken") })

	begun, gone := m.Reg("begun", 1, 0), m.Reg("gone", 1, 0)
	m.When(io.Packet.Fire(), func() { begun.Set(hw.K(1)) }).ElseWhen(io.Left, func() { begun.Set(hw.K(0)) })
	m.When(io.Data.Fire().And(io.Data.Data.Last), func() { gone.Set(hw.K(1)) }).ElseWhen(io.Left, func() { gone.Set(hw.K(0)) })
	m.Assert(io.Left.Eq(io.Outcome.Fire()), "each outcome leaves once")
	m.When(io.Left, func() {
		m.Assert(begun.And(gone).And(io.WritePending.Not()), "a completion leaves when it is written")
	})

	left, waiting := m.Reg("left_count", ringBits, 0), m.Reg("waits", 1, 0)
	left.Set(left.Add(io.Left.Ext(ringBits)))
	waiting.Set(io.Head.Sub(left).Bit(ringBits - 1).And(io.Taken.Not()))
	m.Assert(io.Waiting.Eq(waiting), "completions that left wait until the driver counts them")
	return io
}

func TestFormal(t *testing.T) {
	elaborate := func() *ir.Design {
		d, err := hw.Elaborate(leaving{Completer{arch.Stream{StreamBits: 128}}})
		require.NoError(t, err)
		return d
	}
	formal.Holds(t, elaborate())
	for register, texts := range map[string][]string{
		"backlog": {"completions that left wait until the driver counts them"},
		"posted":  {"completions that left wait until the driver counts them"},
	} {
		d := elaborate()
		bench.Stick(d, "completer", register)
		formal.Fails(t, d, texts...)
	}
	early := elaborate()
	skip(t, early)
	formal.Fails(t, early, "a completion leaves when it is written")
}

// skip makes a Completer report its completion while writes are pending.
func skip(t *testing.T, d *ir.Design) {
	found := 0
	for _, m := range d.Modules {
		ir.WalkStmts(m.Body.Stmts, func(s ir.Stmt) {
			if a, ok := s.(*ir.Assign); ok && a.LHS.Sig.Name == "written" {
				require.Equal(t, ir.And, a.RHS.Op)
				a.RHS = a.RHS.Args[0]
				found++
			}
		})
	}
	require.Equal(t, 1, found)
}
