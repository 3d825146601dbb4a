package skid

import "github.com/hotline-rtl/hotline/hw"

// Stage is a stream register of Width bits that holds one word. Its ready
// follows the receiver's in the same cycle.
type Stage struct{ Width int }

// Build describes the register.
func (p Stage) Build(m *hw.Module) Ports {
	m.Doc("Stream register: valid and data are registered, ready passes through.")
	io := ports(m, p.Width)
	valid, data := m.Reg("valid", 1, 0), m.Data("data", p.Width)

	io.Push.Ready.Set(valid.Not().Or(io.Pop.Ready))
	io.Pop.Valid.Set(valid)
	io.Pop.Data.Set(data)

	m.When(io.Push.Ready, func() { valid.Set(io.Push.Valid) })
	m.When(io.Push.Fire(), func() { data.Set(io.Push.Data) })
	return io
}
