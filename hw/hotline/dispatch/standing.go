package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/address"
)

// standing holds the state that persists between commands, apart from the registers.
type standing struct {
	RowsAhead hw.Bits `hw:"RowsAheadBits" doc:"requested for no operation yet"`
	Vector    hw.Bits `doc:"the vector buffer holds one"`
	Inputs    hw.Vec  `hw:"InputsBits,len=2" doc:"classified inputs that each half holds"`
	Stretch   hw.Bits `doc:"of learning, modulo 2"`
	Listed    hw.Bits `doc:"the hot set was listed: the next learn begins a stretch"`
}

// conflict returns the status with which the persistent state refuses the current command, or 0.
func (x *control) conflict() hw.Enum[arch.Status] {
	c, s := x.c, x.s
	status := hw.Wire[hw.Enum[arch.Status]](x.m, "conflict")
	status.Put(arch.StatusOK)
	unless := func(ok hw.Bits, s arch.Status) { x.m.When(ok.Not(), func() { status.Put(s) }) }
	unless(x.located(), arch.StatusNoAddress) // all other statuses take precedence
	noRows := s.RowsAhead.IsZero().As("no_rows_ahead")
	resized := c.Operand1.Trunc(address.IndexBits).Eq(address.Number(arch.RegRowLog2))
	x.m.Switch(c.Opcode.Bits()).
		Any(c.cases(arch.DMARead, arch.GPURead), func() { unless(s.RowsAhead.Ne(hw.Named("ahead", x.p.Ahead)), arch.StatusRowsFull) }).
		Any(c.cases(arch.VAdd), func() {
			unless(c.Half.Or(s.Vector), arch.StatusNoVector)
			unless(noRows.Not(), arch.StatusNoRow)
		}).
		Any(c.cases(arch.VMul), func() { unless(noRows.Not(), arch.StatusNoRow) }).
		Any(c.cases(arch.DMAWrite), func() { unless(s.Vector, arch.StatusNoVector) }).
		Any(c.cases(arch.SWrite), func() { unless(noRows.Or(resized.Not()), arch.StatusRowsAhead) }).
		Any(c.cases(arch.Learn, arch.Classify, arch.Update), func() { unless(noRows, arch.StatusRowsAhead) }).
		Any(c.cases(arch.Gather), func() {
			unless(c.count().Le(s.Inputs.Index(c.Half)), arch.StatusNoInputs)
			unless(noRows, arch.StatusRowsAhead)
		}).
		Default(func() {})
	return status
}

// remember updates the persistent state at the end of the current command.
func (x *control) remember() {
	c, s := x.c, x.s
	x.io.RowsAhead.Set(s.RowsAhead)
	x.io.Stretch.Set(s.Stretch)
	x.m.When(x.begin.Sweep.And(c.is(arch.Learn)), func() {
		s.Stretch.Set(s.Stretch.Xor(s.Listed))
		s.Listed.Set(hw.K(0))
	})
	x.m.When(x.Finish.Is().And(c.Refusal.Is(arch.StatusOK)), func() {
		x.m.Switch(c.Opcode.Bits()).
			Any(c.cases(arch.DMARead, arch.GPURead), func() { s.RowsAhead.Set(s.RowsAhead.Inc()) }).
			Any(c.cases(arch.VAdd, arch.VMul), func() {
				s.RowsAhead.Set(s.RowsAhead.Dec())
				s.Vector.Set(x.failed.Not())
			}).
			Any(c.cases(arch.DMAWrite), func() { s.Vector.Set(hw.K(0)) }).
			Any(c.cases(arch.Learn), func() { s.Inputs.Index(c.Half).Set(hw.K(0)) }).
			Any(c.cases(arch.Classify), func() { s.Inputs.Index(c.Half).Set(hw.Mux(x.failed, hw.K(0), c.count())) }).
			Any(c.cases(arch.Gather), func() { s.Vector.Set(hw.K(0)) }).
			Any(c.cases(arch.Update), func() {
				s.Vector.Set(hw.K(0))
				s.Inputs.Index(c.Half).Set(hw.K(0))
			}).
			Any(c.cases(arch.HotSet), func() { s.Listed.Set(s.Listed.Or(x.failed.Not())) }).
			Any(c.cases(arch.SWrite), x.rememberRegister).
			Default(func() {})
	})
}

// rememberRegister invalidates the state that depends on the written register.
func (x *control) rememberRegister() {
	s, index := x.s, x.c.Operand1.Trunc(address.IndexBits)
	x.m.Switch(index).
		Case(address.Number(arch.RegSlots), func() {
			s.Inputs.N(0).Set(hw.K(0))
			s.Inputs.N(1).Set(hw.K(0))
		}).
		Case(address.Number(arch.RegRowLog2), func() { s.Vector.Set(hw.K(0)) }).
		Default(func() {})
}
