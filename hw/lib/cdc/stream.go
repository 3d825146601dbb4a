package cdc

import "github.com/hotline-rtl/hotline/hw"

// ends declares the wires of the two ends of a stream.
func ends[T any](m *hw.Module, of hw.Shape[T]) (push, pop hw.Stream[T]) {
	end := func(name string) hw.Stream[T] {
		return hw.Stream[T]{Valid: m.Wire(name+"_valid", 1), Ready: m.Wire(name+"_ready", 1), Data: of.Wire(m, name+"_data")}
	}
	return end("push"), end("pop")
}

// Handshake transfers words from clock from to clock to, one at a time. push accepts the next word
// after the acknowledgement of the previous word has returned.
func Handshake[T any](m *hw.Module, name string, from, to hw.Clock, of hw.Shape[T]) (push, pop hw.Stream[T]) {
	m.Scope(name, func() {
		push, pop = ends(m, of)
		var word T
		var request hw.Bits
		m.Clocked(from, func() {
			word, request = of.Data(m, "word"), m.Reg("request", 1, 0)
			m.When(push.Fire(), func() {
				hw.Set(word, push.Data)
				request.Set(request.Not())
			})
		})
		var answer hw.Bits
		m.Clocked(to, func() {
			answer = m.Reg("answer", 1, 0)
			m.When(pop.Fire(), func() { answer.Set(answer.Not()) })
			hw.Set(pop.Data, of.Unpack(m, m.Crossing("taken", to, hw.CrossHeld, hw.Pack(word))))
		})
		pop.Valid.Set(m.Crossing("request", to, hw.CrossFlow, request).Ne(answer))
		push.Ready.Set(m.Crossing("answer", from, hw.CrossFlow, answer).Eq(request))
	})
	return push, pop
}

// FIFO describes a queue of depth words, a power of two, between clock from and clock to. The
// queue moves one word per cycle of the slower clock if it has capacity for the words in flight. A
// depth of eight is enough for clocks of about the same frequency.
func FIFO[T any](m *hw.Module, name string, from, to hw.Clock, of hw.Shape[T], depth int) (push, pop hw.Stream[T]) {
	if depth < 2 || depth&(depth-1) != 0 {
		m.Errorf("FIFO %q has depth %d; expected a power of two of at least 2", name, depth)
		depth = 2
	}
	m.Scope(name, func() {
		push, pop = ends(m, of)
		var mem hw.Mem[T]
		width := hw.IndexWidth(depth) + 1 // full and empty differ in the highest bit
		var tail, head, next hw.Bits
		m.Clocked(from, func() {
			mem, tail = of.Mem(m, "mem", depth), m.Reg("tail", width, 0)
			m.When(push.Fire(), func() {
				mem.Write(tail.Trunc(width-1), push.Data)
				tail.Set(tail.Inc())
			})
		})
		m.Clocked(to, func() {
			head = m.Reg("head", width, 0)
			next = head.Add(pop.Fire().Ext(width)).As("next")
			head.Set(next)
			// The word at the next head arrives before valid is set.
			word := m.Crossing("word", to, hw.CrossHeld, hw.Pack(mem.Read(next.Trunc(width-1))))
			hw.Set(pop.Data, of.Unpack(m, word))
		})
		written := hw.Scope(m, "written", func() hw.Bits { return counted(m, from, to, hw.CrossFlow, tail) })
		read := hw.Scope(m, "read", func() hw.Bits { return counted(m, to, from, hw.CrossFlow, head) })
		push.Ready.Set(tail.Sub(read).Ne(hw.Named("depth", depth)))
		m.Clocked(to, func() {
			valid := m.Reg("valid", 1, 0)
			valid.Set(written.Ne(next))
			pop.Valid.Set(valid)
		})
	})
	return push, pop
}
