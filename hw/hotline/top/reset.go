package top

import "github.com/hotline-rtl/hotline/hw"

// SoftReset resets the accelerator on request, from any state. It prevents new descriptors, waits
// until none is outstanding, and then pulses Clear. A function-level reset does not wait.
type SoftReset struct{}

// SoftResetPorts are the ports of a SoftReset. Hold is 1 from the cycle after Request until Clear.
// Pending reports that a descriptor is outstanding, or that a row was not taken. FLR clears
// immediately.
type SoftResetPorts struct {
	Request hw.Bits `hw:"in" doc:"pulse: begins a reset"`
	Pending hw.Bits `hw:"in" doc:"a descriptor is in flight"`
	FLR     hw.Bits `hw:"in" doc:"function-level reset"`
	Hold    hw.Bits `hw:"out" doc:"no block begins a transfer"`
	Clear   hw.Bits `hw:"out" doc:"resets the blocks"`
}

// Build describes the unit.
func (SoftReset) Build(m *hw.Module) SoftResetPorts {
	m.Doc("Soft reset: waits until no descriptor is in flight, then resets everything except the bus interface. A function-level reset does not wait.")
	io := hw.Ports[SoftResetPorts](m)
	hold := m.Reg("holding", 1, 0)
	io.Hold.Set(hold)
	io.Clear.Set(hold.And(io.Pending.Not()).Or(io.FLR))
	m.When(io.Clear, func() { hold.Set(hw.K(0)) }).ElseWhen(io.Request, func() { hold.Set(hw.K(1)) })
	return io
}
