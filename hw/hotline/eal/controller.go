package eal

import "github.com/hotline-rtl/hotline/hw"

// ealController is the controller of the EAL: it clears the banks after a reset,
// one set of each in a cycle, and knows when no request is under way. The order of
// requests is decided in ealQueue.
type ealController struct{ Engines, SetBits, Window int }

type controllerPorts struct {
	Clear    hw.Bits `hw:"out"`         // write zeros to ClearSet
	ClearSet hw.Bits `hw:"out,SetBits"` // of every bank
	Ready    hw.Bits `hw:"out"`
	Taken    hw.Bits `hw:"in,RequestPorts"` // requests that are taken in this cycle
	Answered hw.Bits `hw:"in,AnswerPorts"`  // answers of this cycle
	Idle     hw.Bits `hw:"out"`
}

// RequestPorts is the number of requests that may come in a cycle.
func (p ealController) RequestPorts() int { return RequestQueues * p.Engines }

// AnswerPorts is the number of answers that may leave in a cycle.
func (p ealController) AnswerPorts() int { return AnswerGroups * p.Engines }

// Build describes the controller.
func (p ealController) Build(m *hw.Module) controllerPorts {
	m.Doc("Controller of the embedding access logger: clears the banks after reset, counts requests under way.")
	io := hw.Ports[controllerPorts](m)
	cleared, set := m.Reg("cleared", 1, 0), m.Reg("set", p.SetBits, 0)
	m.When(cleared.Not(), func() {
		set.Set(set.Inc())
		cleared.Set(set.All())
	})
	io.Clear.Set(cleared.Not())
	io.ClearSet.Set(set)
	io.Ready.Set(cleared)

	// Requests of the last cycle are counted one cycle later, to keep the count off
	// the arbiters' path.
	taken := m.Reg("taken_before", p.RequestPorts(), 0)
	count := m.Reg("in_flight", hw.CountWidth(p.Engines*p.Window), 0)
	taken.Set(io.Taken)
	in, out := taken.Count(), io.Answered.Count()
	count.Set(count.Add(in.Resize(count.Width())).Sub(out.Resize(count.Width())))
	io.Idle.Set(taken.Any().Or(count.Any()).Not())
	return io
}
