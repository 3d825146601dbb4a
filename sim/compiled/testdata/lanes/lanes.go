// Package lanes is a design for the tests of sim/compiled.
package lanes

import "github.com/hotline-rtl/hotline/hw"

// Lanes counts the cycles in which On is 1. It asserts in each lane that X is
// not its number then, and at the top that X is below 200.
type Lanes struct{ Count int }

// Ports are its ports.
type Ports struct{ On, X, N hw.Bits }

// Build describes it.
func (p Lanes) Build(m *hw.Module) Ports {
	io := Ports{On: m.In("on", 1), X: m.In("x", 8), N: m.Out("n", 8)}
	n := m.Reg("n_q", 8, 7)
	m.When(io.On, func() { n.Set(n.Inc()) })
	io.N.Set(n)
	m.For("lane", p.Count, func(i hw.Index) {
		m.When(io.On, func() { m.Assert(io.X.Ne(i.Bits(8)), "x differs from the lane") })
	})
	m.Assert(io.X.Lt(hw.K(200)), "x is below 200")
	return io
}
