package fifo

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
)

// BlockFIFO is a queue in a memory with a synchronous read port. The read register is the last
// place of the queue, so that the queue has a capacity of Depth+1 words. Depth is at least 2. A
// word can be popped from the second cycle after its push on. Style is the ram_style attribute, as
// in ram.SimpleDual.
type BlockFIFO[T any] struct {
	Of    hw.Shape[T] `hw:"parameter" doc:"word"`
	Depth int         `doc:"words of the queue, without the read register"`
	Style string      `doc:"attribute ram_style of the memory"`
}

// LevelBits returns the width of Level.
func (p BlockFIFO[T]) LevelBits() int { return hw.CountWidth(max(p.Depth, 0) + 1) }

// Build describes the queue.
func (p BlockFIFO[T]) Build(m *hw.Module) Ports[T] {
	m.Doc("First-word fall-through queue in a memory with registered read.")
	io := hw.Ports[Ports[T]](m)
	if p.Depth < 2 {
		m.Errorf("depth is %d; expected at least 2", p.Depth)
		return io
	}
	mem := hw.Inst(m, "ram", ram.SimpleDual[T](p))
	q := newRing(m, p.Depth)
	valid := m.Reg("valid", 1, 0)
	push := io.Push.Fire().As("do_push")
	// A word moves from the memory to the read register when the register is free.
	fetch := q.count.Any().And(valid.Not().Or(io.Pop.Ready)).As("fetch")

	io.Push.Ready.Set(q.count.Ne(hw.Named("depth", p.Depth)))
	io.Pop.Valid.Set(valid)
	hw.Set(io.Pop.Data, mem.RData)
	io.Level.Set(q.count.Ext(io.Level.Width()).Add(valid.Ext(io.Level.Width())))

	mem.Write.Set(push)
	mem.WAddr.Set(q.tail)
	hw.Set(mem.WData, io.Push.Data)
	mem.Read.Set(fetch)
	mem.RAddr.Set(q.head)
	q.update(m, push, fetch)
	m.When(fetch, func() {
		valid.Set(hw.K(1))
	}).ElseWhen(io.Pop.Ready, func() {
		valid.Set(hw.K(0))
	})
	return io
}
