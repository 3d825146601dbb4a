// Package edge finds the edges of two signals, with a function that declares a
// register and is called twice. Its test compares waveforms.
package edge

import "github.com/hotline-rtl/hotline/hw"

// Edges has no parameters.
type Edges struct{}

// Ports are the ports of Edges.
type Ports struct {
	A        hw.Bits `hw:"in"`
	B        hw.Bits `hw:"in"`
	Rises    hw.Bits `hw:"out" doc:"a or b goes from 0 to 1"`
	Together hw.Bits `hw:"out" doc:"both do, in the same cycle"`
}

// Build describes the module.
func (p Edges) Build(m *hw.Module) Ports {
	io := hw.Ports[Ports](m)
	a := hw.Scope(m, "a", func() hw.Bits { return Rises(m, io.A) })
	b := hw.Scope(m, "b", func() hw.Bits { return Rises(m, io.B) })
	io.Rises.Set(a.Or(b))
	io.Together.Set(a.And(b))
	return io
}

// Rises returns 1 in the first cycle in which x is 1.
func Rises(m *hw.Module, x hw.Bits) hw.Bits {
	last := m.Reg("last", 1, 0)
	last.Set(x)
	return x.And(last.Not())
}
