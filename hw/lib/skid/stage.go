package skid

import "github.com/hotline-rtl/hotline/hw"

// Stage is a stream register for one word. Its ready depends combinationally on the receiver's
// ready.
type Stage[T any] struct {
	Of hw.Shape[T] `hw:"parameter" doc:"payload"`
}

// Build describes the register.
func (p Stage[T]) Build(m *hw.Module) Ports[T] {
	m.Doc("Stream register: valid and data are registered, ready passes through.")
	io := hw.Ports[Ports[T]](m)
	valid, data := m.Reg("valid", 1, 0), p.Of.Data(m, "data")

	io.Push.Ready.Set(valid.Not().Or(io.Pop.Ready))
	io.Pop.Valid.Set(valid)
	hw.Set(io.Pop.Data, data)

	m.When(io.Push.Ready, func() { valid.Set(io.Push.Valid) })
	m.When(io.Push.Fire(), func() { hw.Set(data, io.Push.Data) })
	return io
}
