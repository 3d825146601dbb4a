package dispatch

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// standing is what lasts from one command to the next besides the registers.
type standing struct {
	rows   hw.Bits // rows ahead: requested for no operation yet
	vector hw.Bits // the vector buffer holds one
	inputs hw.Vec  // classified inputs that each half holds
}

func newStanding(m *hw.Module, p arch.Params) standing {
	return standing{rows: m.Reg("rows_ahead_q", RowsAheadBits(p), 0), vector: m.Reg("vector_held", 1, 0), inputs: m.RegVec("inputs_held", 2, inputsBits(p), 0)}
}

// conflict is the status with which what stands refuses the command at hand,
// or 0.
func (x *control) conflict() hw.Enum[arch.Status] {
	c, s := x.c, x.s
	status := hw.Wire[hw.Enum[arch.Status]](x.m, "conflict")
	status.Put(arch.StatusOK)
	unless := func(ok hw.Bits, s arch.Status) { x.m.When(ok.Not(), func() { status.Put(s) }) }
	noRows := s.rows.IsZero().As("no_rows_ahead")
	resized := c.op1.Trunc(indexBits).Eq(hw.K(arch.RegRowLog2))
	x.m.Switch(c.opcode.Bits()).
		Any(c.cases(arch.DMARead, arch.GPURead), func() { unless(s.rows.Ne(hw.K(x.p.Tags)), arch.StatusRowsFull) }).
		Any(c.cases(arch.VAdd), func() {
			unless(c.load().Or(s.vector), arch.StatusNoVector)
			unless(noRows.Not(), arch.StatusNoRow)
		}).
		Any(c.cases(arch.VMul), func() { unless(noRows.Not(), arch.StatusNoRow) }).
		Any(c.cases(arch.DMAWrite), func() { unless(s.vector, arch.StatusNoVector) }).
		Any(c.cases(arch.SWrite), func() { unless(noRows.Or(resized.Not()), arch.StatusRowsAhead) }).
		Any(c.cases(arch.Learn, arch.Classify, arch.Update), func() { unless(noRows, arch.StatusRowsAhead) }).
		Any(c.cases(arch.Gather), func() {
			unless(c.count().Le(s.inputs.Index(c.half)), arch.StatusNoInputs)
			unless(noRows, arch.StatusRowsAhead)
		}).
		Default(func() {})
	return status
}

// remember notes what the command at hand leaves behind.
func (x *control) remember() {
	c, s := x.c, x.s
	x.io.RowsAhead.Set(s.rows)
	x.m.When(x.Finish.Is().And(c.status.Is(arch.StatusOK)), func() {
		x.m.Switch(c.opcode.Bits()).
			Any(c.cases(arch.DMARead, arch.GPURead), func() { s.rows.Set(s.rows.Inc()) }).
			Any(c.cases(arch.VAdd, arch.VMul), func() {
				s.rows.Set(s.rows.Dec())
				s.vector.Set(x.failed.Not())
			}).
			Any(c.cases(arch.DMAWrite), func() { s.vector.Set(hw.K(0)) }).
			Any(c.cases(arch.Learn), func() { s.inputs.Index(c.half).Set(hw.K(0)) }).
			Any(c.cases(arch.Classify), func() { s.inputs.Index(c.half).Set(hw.Mux(x.failed, hw.K(0), c.count())) }).
			Any(c.cases(arch.Gather), func() { s.vector.Set(hw.K(0)) }).
			Any(c.cases(arch.Update), func() {
				s.vector.Set(hw.K(0))
				s.inputs.Index(c.half).Set(hw.K(0))
			}).
			Any(c.cases(arch.SWrite), x.rememberRegister).
			Default(func() {})
	})
}

// rememberRegister notes what a change of a register makes void.
func (x *control) rememberRegister() {
	s, index := x.s, x.c.op1.Trunc(indexBits)
	x.m.Switch(index).
		Case(hw.K(arch.RegSlots), func() {
			s.inputs.N(0).Set(hw.K(0))
			s.inputs.N(1).Set(hw.K(0))
		}).
		Case(hw.K(arch.RegRowLog2), func() { s.vector.Set(hw.K(0)) }).
		Default(func() {})
}
