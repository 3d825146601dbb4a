package simtest

import "github.com/hotline-rtl/hotline/hw"

// Resets contains equal counters with different resets:
//
//   - one with only the reset of the design;
//   - two in an instance that Whole resets; Half resets the second;
//   - Lanes counters that the bits of Each reset.
type Resets struct{ Lanes int }

// ResetsPorts contains the ports of Resets; vectors have one element per instance.
type ResetsPorts struct {
	Whole, Half, Each hw.Bits
	Count, Kept       hw.Vec // registers with a reset; Kept holds its value in some cycles
	Flags             hw.Vec // vectors of bits with a reset
	Free, Word        hw.Vec // a register without a reset, and a word of a memory
}

// Build implements hw.Generator.
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

// Build implements hw.Generator.
func (pair) Build(m *hw.Module) pairPorts {
	io := pairPorts{Half: m.In("half", 1), First: declare(m, "first_"), Second: declare(m, "second_")}
	join(io.First, hw.Inst(m, "one", counter{}))
	join(io.Second, hw.InstReset(m, "two", counter{}, io.Half))
	return io
}

// counter counts, starting at 3.
type counter struct{}

type counterPorts struct{ Cleared, Count, Kept, Flags, Free, Word hw.Bits }

func declare(m *hw.Module, prefix string) counterPorts {
	return counterPorts{Cleared: m.In(prefix+"cleared", 1), Count: m.Out(prefix+"count", 8), Kept: m.Out(prefix+"kept", 70),
		Flags: m.Out(prefix+"flags", 2), Free: m.Out(prefix+"free", 8), Word: m.Out(prefix+"word", 8)}
}

// join connects outer ports to the ports of an instance.
func join(outer, inner counterPorts) {
	inner.Cleared.Set(outer.Cleared)
	outer.Count.Set(inner.Count)
	outer.Kept.Set(inner.Kept)
	outer.Flags.Set(inner.Flags)
	outer.Free.Set(inner.Free)
	outer.Word.Set(inner.Word)
}

// Build implements hw.Generator. The assertion fails whenever the counter is cleared, but it is not
// checked then.
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
