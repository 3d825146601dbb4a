package eal

import "github.com/hotline-rtl/hotline/hw"

// ealController is the controller of the EAL. After a reset, it clears the banks, one set per cycle
// in all of them. It also detects when no request is in flight. ealQueue determines the order of
// requests.
type ealController struct {
	Engines int `doc:"lookup engines"`
	SetBits int `doc:"set of a bank" unit:"bits"`
	Window  int `doc:"lookups in flight per engine"`
}

type controllerPorts struct {
	Clear    hw.Bits `hw:"out" doc:"writes zeros to clear_set of every bank"`
	ClearSet hw.Bits `hw:"out,SetBits" doc:"set to clear"`
	Ready    hw.Bits `hw:"out" doc:"the EAL is cleared"`
	Taken    hw.Bits `hw:"in,RequestPorts" doc:"by port: a request is accepted in this cycle"`
	Answered hw.Bits `hw:"in,AnswerPorts" doc:"by port: an answer is sent in this cycle"`
	Idle     hw.Bits `hw:"out" doc:"no request is in flight"`
}

// RequestPorts returns the maximum number of requests per cycle.
func (p ealController) RequestPorts() int { return RequestQueues * p.Engines }

// AnswerPorts returns the maximum number of answers per cycle.
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

	// Requests are counted one cycle late, to keep the counter off the path of the arbiters.
	taken := m.Reg("taken_before", p.RequestPorts(), 0)
	count := m.Reg("in_flight", hw.CountWidth(p.Engines*p.Window), 0)
	taken.Set(io.Taken)
	in, out := taken.Count(), io.Answered.Count()
	count.Set(count.Add(in.Resize(count.Width())).Sub(out.Resize(count.Width())))
	io.Idle.Set(taken.Any().Or(count.Any()).Not())
	return io
}
