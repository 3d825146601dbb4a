package fifo

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/skid"
)

// FIFO is a queue of Depth words. A word can be popped from the cycle after
// its push on. Push ready depends only on registers, except at Depth 1,
// where it follows pop ready so that the queue still moves one word per
// cycle.
type FIFO[T any] struct {
	Of    hw.Shape[T] `hw:"parameter" doc:"word"`
	Depth int         `doc:"words of the queue"`
}

// Ports are the ports of a queue. Level is the number of words in the queue.
type Ports[T any] struct {
	Push  hw.Stream[T] `hw:"in,of=Of" doc:"words in"`
	Pop   hw.Stream[T] `hw:"out,of=Of" doc:"the oldest word"`
	Level hw.Bits      `hw:"out,LevelBits" doc:"words in the queue"`
}

// LevelBits returns the width of Level.
func (p FIFO[T]) LevelBits() int { return hw.CountWidth(max(p.Depth, 1)) }

// Build describes the queue.
func (p FIFO[T]) Build(m *hw.Module) Ports[T] {
	m.Doc("First-word fall-through queue.")
	io := hw.Ports[Ports[T]](m)
	if p.Depth < 1 {
		m.Errorf("depth is %d; expected at least 1", p.Depth)
		return io
	}
	if p.Depth == 1 {
		one := hw.Inst(m, "stage", skid.Stage[T]{Of: p.Of})
		one.Push.Connect(io.Push)
		io.Pop.Connect(one.Pop)
		io.Level.Set(one.Pop.Valid)
		return io
	}
	mem := p.Of.Mem(m, "mem", p.Depth)
	q := newRing(m, p.Depth)
	push, pop := io.Push.Fire().As("do_push"), io.Pop.Fire().As("do_pop")

	io.Push.Ready.Set(q.count.Ne(hw.Named("depth", p.Depth)))
	io.Pop.Valid.Set(q.count.Any())
	hw.Set(io.Pop.Data, mem.Read(q.head))
	io.Level.Set(q.count)

	m.When(push, func() { mem.Write(q.tail, io.Push.Data) })
	q.update(m, push, pop)
	return io
}

// ring is the state of a queue in a memory: the position of the oldest word, the position of the
// next word, and the number of words.
type ring struct {
	depth             int
	head, tail, count hw.Bits
}

func newRing(m *hw.Module, depth int) ring {
	return ring{
		depth: depth,
		head:  m.Reg("head", hw.IndexWidth(depth), 0),
		tail:  m.Reg("tail", hw.IndexWidth(depth), 0),
		count: m.Reg("count", hw.CountWidth(depth), 0),
	}
}

func (q ring) update(m *hw.Module, push, pop hw.Bits) {
	m.Cover(q.count.Eq(hw.Named("depth", q.depth)), "the queue is full")
	m.When(push, func() { q.tail.Set(q.after(q.tail)) })
	m.When(pop, func() { q.head.Set(q.after(q.head)) })
	m.When(push.And(pop.Not()), func() {
		q.count.Set(q.count.Inc())
	}).ElseWhen(pop.And(push.Not()), func() {
		q.count.Set(q.count.Dec())
	})
}

// after returns the position that follows ptr.
func (q ring) after(ptr hw.Bits) hw.Bits {
	if q.depth == 1<<ptr.Width() {
		return ptr.Inc()
	}
	return hw.Mux(ptr.Eq(hw.Named("last", q.depth-1)), hw.K(0), ptr.Inc())
}
