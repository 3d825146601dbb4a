package top

import "github.com/hotline-rtl/hotline/hw"

// InterruptLine requests the interrupt for completions that have left.
type InterruptLine struct{}

// InterruptLinePorts are the ports of an InterruptLine. A completion that leaves makes an interrupt
// pending until Ack is 1 in a cycle in which Req is 1. Req is 1 while an interrupt is pending and
// Allowed is 1.
type InterruptLinePorts struct {
	Left    hw.Bits `hw:"in" doc:"pulse: a completion has left for the link, or cannot be written"`
	Allowed hw.Bits `hw:"in" doc:"the function may send interrupts"`
	Req     hw.Bits `hw:"out" doc:"requests an interrupt"`
	Ack     hw.Bits `hw:"in" doc:"the interrupt is accepted"`
}

// Build describes the unit.
func (InterruptLine) Build(m *hw.Module) InterruptLinePorts {
	m.Doc("Interrupt: requested from when a completion has left until it is acknowledged. An acknowledge without a request changes nothing.")
	io := hw.Ports[InterruptLinePorts](m)
	owed := m.Reg("owed", 1, 0)
	io.Req.Set(owed.And(io.Allowed))
	// An acknowledge does not cover a completion that leaves in the same cycle.
	m.When(io.Left, func() { owed.Set(hw.K(1)) }).ElseWhen(io.Req.And(io.Ack), func() { owed.Set(hw.K(0)) })
	return io
}
