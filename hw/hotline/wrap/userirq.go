package wrap

import "github.com/hotline-rtl/hotline/hw"

// userIRQ converts completions that wait for the driver into a request at usr_irq_req of XDMA.
// The core sends an interrupt at the rising edge and acknowledges it. The request must be held
// until the interrupt is serviced, which is when the driver writes cq_head. With legacy
// interrupts, the core also acknowledges the end of the request. The next request must wait for
// this acknowledge.
type userIRQ struct{}

// userIRQPorts are the ports of a userIRQ. Level is 1 while completions wait, and 0 for a cycle
// when the driver has consumed some.
type userIRQPorts struct {
	Level  hw.Bits `hw:"in" doc:"completions wait for the driver"`
	Legacy hw.Bits `hw:"in" doc:"neither MSI nor MSI-X is enabled"`
	Req    hw.Bits `hw:"out" doc:"requests an interrupt"`
	Ack    hw.Bits `hw:"in" doc:"the interrupt is accepted, or withdrawn"`
}

// ModuleName returns the name of the module.
func (userIRQ) ModuleName() string { return "xdma_user_irq" }

// Build describes the unit.
func (userIRQ) Build(m *hw.Module) userIRQPorts {
	m.Doc("User interrupt of XDMA: held until it is sent and serviced. A legacy interrupt is not requested again before its end is sent.")
	io := hw.Ports[userIRQPorts](m)
	st := hw.FSM[struct{ Idle, Request, Withdraw hw.State }](m, "state")
	sent, serviced := m.Data("sent", 1), m.Data("serviced", 1)
	io.Req.Set(st.Request.Is())
	st.Idle.Do(func() {
		sent.Set(hw.K(0))
		serviced.Set(hw.K(0))
		m.When(io.Level, st.Request.Next)
	})
	st.Request.Do(func() {
		sentNow, servicedNow := sent.Or(io.Ack), serviced.Or(io.Level.Not())
		sent.Set(sentNow)
		serviced.Set(servicedNow)
		m.When(sentNow.And(servicedNow), func() {
			m.When(io.Legacy, st.Withdraw.Next).Else(st.Idle.Next)
		})
	})
	st.Withdraw.Do(func() { m.When(io.Ack, st.Idle.Next) })
	return io
}
