package skid

import "github.com/hotline-rtl/hotline/hw"

// Ports are the two sides of a register stage.
type Ports[T any] struct {
	Push hw.Stream[T] `hw:"in,of=Of" doc:"words in"`
	Pop  hw.Stream[T] `hw:"out,of=Of" doc:"the same words, later"`
}

// Skid is a stream register whose outputs, including ready, are all registered. It has a capacity
// of two words.
type Skid[T any] struct {
	Of hw.Shape[T] `hw:"parameter" doc:"payload"`
}

// Build describes the register.
func (p Skid[T]) Build(m *hw.Module) Ports[T] {
	m.Doc("Stream register with registered ready: no path leads through it, at full throughput.")
	io := hw.Ports[Ports[T]](m)
	valid, data := m.Reg("valid", 1, 0), p.Of.Data(m, "data")
	// The word that was in flight when the receiver stalled.
	spare, full := p.Of.Data(m, "spare"), m.Reg("full", 1, 0)

	io.Push.Ready.Set(full.Not())
	io.Pop.Valid.Set(valid)
	hw.Set(io.Pop.Data, data)

	move := valid.Not().Or(io.Pop.Ready).As("move")
	m.When(move, func() {
		valid.Set(io.Push.Valid.Or(full))
		hw.Set(data, hw.Mux(full, spare, io.Push.Data))
		full.Set(hw.K(0))
	}).ElseWhen(io.Push.Fire(), func() {
		hw.Set(spare, io.Push.Data)
		full.Set(hw.K(1))
	})
	return io
}
