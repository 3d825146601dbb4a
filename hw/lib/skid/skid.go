package skid

import "github.com/hotline-rtl/hotline/hw"

// Ports are the two sides of a register stage.
type Ports struct {
	Push, Pop hw.Stream[hw.Bits]
}

func ports(m *hw.Module, width int) Ports {
	return Ports{Push: m.Sink("push", width), Pop: m.Source("pop", width)}
}

// Skid is a stream register of Width bits whose outputs, ready included, all
// come from registers. It holds two words.
type Skid struct{ Width int }

// Build describes the register.
func (p Skid) Build(m *hw.Module) Ports {
	m.Doc("Stream register with registered ready: no path leads through it, at full throughput.")
	io := ports(m, p.Width)
	valid, data := m.Reg("valid", 1, 0), m.Data("data", p.Width)
	// The word that was under way when the receiver stalled.
	spare, full := m.Data("spare", p.Width), m.Reg("full", 1, 0)

	io.Push.Ready.Set(full.Not())
	io.Pop.Valid.Set(valid)
	io.Pop.Data.Set(data)

	move := valid.Not().Or(io.Pop.Ready).As("move")
	m.When(move, func() {
		valid.Set(io.Push.Valid.Or(full))
		data.Set(hw.Mux(full, spare, io.Push.Data))
		full.Set(hw.K(0))
	}).ElseWhen(io.Push.Fire(), func() {
		spare.Set(io.Push.Data)
		full.Set(hw.K(1))
	})
	return io
}
