package simtest

import "github.com/hotline-rtl/hotline/hw"

// Resets has equal instances: one that only the reset of the design resets, two in
// one that Whole resets, of which Half resets the second, and Lanes that Each does.
type Resets struct{ Lanes int }

// ResetsPorts are the ports of Resets; vectors have an element for each instance.
type ResetsPorts struct {
	Whole, Half, Each hw.Bits
	Count, Kept       hw.Vec // registers with a reset, the second of which holds its value at times
	Flags             hw.Vec // vectors of bits with a reset
	Free, Word        hw.Vec // a register without a reset, a word of a memory
}

// Build describes them.
func (p Resets) Build(m *hw.Module) ResetsPorts {
	n := 3 + p.Lanes
	io := ResetsPorts{Whole: m.In("whole", 1), Half: m.In("half", 1), Each: m.In("each", p.Lanes), Count: m.OutVec("count", n, 8),
		Kept: m.OutVec("kept", n, 70), Flags: m.OutVec("flags", n, 2), Free: m.OutVec("free", n, 8), Word: m.OutVec("word", n, 8)}
	show := func(c counterPorts, i hw.Index, clear hw.Bits) {
		c.Cleared.Set(clear)
		io.Count.At(i).Set(c.Count)
		io.Kept.At(i).Set(c.Kept)
		io.Flags.At(i).Set(c.Flags)
		io.Free.At(i).Set(c.Free)
		io.Word.At(i).Set(c.Word)
	}
	show(hw.Inst(m, "plain", counter{}), hw.At(0), hw.K(0))
	both := hw.InstReset(m, "both", pair{}, io.Whole)
	both.Half.Set(io.Half)
	show(both.First, hw.At(1), io.Whole)
	show(both.Second, hw.At(2), io.Whole.Or(io.Half))
	m.For("lane", p.Lanes, func(i hw.Index) {
		clear := io.Each.Unpack(1).At(i)
		show(hw.InstReset(m, "counter", counter{}, clear), i.Plus(3), clear)
	})
	return io
}

// pair has two counters; Half resets the second.
type pair struct{}

type pairPorts struct {
	Half          hw.Bits
	First, Second counterPorts
}

// Build describes them.
func (pair) Build(m *hw.Module) pairPorts {
	io := pairPorts{Half: m.In("half", 1), First: declare(m, "first_"), Second: declare(m, "second_")}
	join(io.First, hw.Inst(m, "one", counter{}))
	join(io.Second, hw.InstReset(m, "two", counter{}, io.Half))
	return io
}

// counter counts from 3 on.
type counter struct{}

type counterPorts struct{ Cleared, Count, Kept, Flags, Free, Word hw.Bits }

func declare(m *hw.Module, prefix string) counterPorts {
	return counterPorts{Cleared: m.In(prefix+"cleared", 1), Count: m.Out(prefix+"count", 8), Kept: m.Out(prefix+"kept", 70),
		Flags: m.Out(prefix+"flags", 2), Free: m.Out(prefix+"free", 8), Word: m.Out(prefix+"word", 8)}
}

// join makes the outer ports those of an instance.
func join(outer, inner counterPorts) {
	inner.Cleared.Set(outer.Cleared)
	outer.Count.Set(inner.Count)
	outer.Kept.Set(inner.Kept)
	outer.Flags.Set(inner.Flags)
	outer.Free.Set(inner.Free)
	outer.Word.Set(inner.Word)
}

// Build describes it. Its assertion fails when it is cleared, where it is not checked.
func (counter) Build(m *hw.Module) counterPorts {
	io := declare(m, "")
	count, kept := m.Reg("count_q", 8, 3), m.Reg("kept_q", 70, 5)
	flags := m.RegVec("flags_q", 2, 1, 1)
	free, mem := m.Data("free_q", 8), m.Mem("mem", 4, 8)
	count.Set(count.Inc())
	m.When(count.Bit(1), func() { kept.Set(kept.Add(count.Ext(70))) })
	flags.N(0).Set(flags.N(0).Not())
	flags.N(1).Set(flags.N(0))
	free.Set(free.Inc())
	mem.Write(free.Trunc(2), free)
	io.Count.Set(count)
	io.Kept.Set(kept)
	io.Flags.Set(flags.Pack())
	io.Free.Set(free)
	io.Word.Set(mem.Read(hw.K(0)))
	m.Assert(io.Cleared.Not(), "it is not cleared")
	return io
}
