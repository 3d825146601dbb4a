package xbar

import (
	"math/bits"

	"github.com/hotline-rtl/hotline/hw"
)

// xbarQueue is a small queue of Depth words, Depth a power of two and at least 2.
// Its pointers have a bit more than an address has: they are equal when it is
// empty and differ in that bit alone when it is full.
type xbarQueue[T any] struct {
	Of    hw.Shape[T] `hw:"parameter"`
	Depth int
}

// queuePorts are the two ends of an xbarQueue.
type queuePorts[T any] struct {
	Push hw.Stream[T] `hw:"in,of=Of"`
	Pop  hw.Stream[T] `hw:"out,of=Of"`
}

// Build describes the queue.
func (p xbarQueue[T]) Build(m *hw.Module) queuePorts[T] {
	m.Doc("Queue of a crosspoint, first-word fall-through.")
	io := hw.Ports[queuePorts[T]](m)
	if p.Depth < 2 || bits.OnesCount(uint(p.Depth)) != 1 {
		m.Errorf("depth %d; want a power of two, at least 2", p.Depth)
		return io
	}
	aw := hw.IndexWidth(p.Depth)
	mem := p.Of.Mem(m, "mem", p.Depth)
	head, tail := m.Reg("head", aw+1, 0), m.Reg("tail", aw+1, 0)

	io.Push.Ready.Set(tail.Ne(head.Xor(hw.K(p.Depth))))
	io.Pop.Valid.Set(tail.Ne(head))
	hw.Set(io.Pop.Data, mem.Read(head.Trunc(aw)))

	m.When(io.Push.Fire(), func() {
		mem.Write(tail.Trunc(aw), io.Push.Data)
		tail.Set(tail.Inc())
	})
	m.When(io.Pop.Fire(), func() { head.Set(head.Inc()) })
	return io
}
