package simtest

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
)

// Lanes applies operators to registers of Lanes lanes of Width bits and to fields of words. A
// generator can vectorize these operators. Lanes must be a multiple of 4.
type Lanes struct{ Lanes, Width int }

// LanesPorts contains the ports of Lanes. The name of an output is o_ and the operation.
type LanesPorts struct {
	A, B, C    hw.Vec // C has one bit per lane
	Key, Words hw.Vec // per group: a key, and a word of four fields of Width bits
	All, Write hw.Bits
	Slot       hw.Vec
	Vecs       []hw.Vec
}

// Build implements hw.Generator.
func (p Lanes) Build(m *hw.Module) LanesPorts {
	n, w := p.Lanes, p.Width
	io := LanesPorts{A: m.InVec("a", n, w), B: m.InVec("b", n, w), C: m.InVec("c", n, 1), All: m.In("all", w), Write: m.In("write", 1),
		Key: m.InVec("key", n/4, w), Words: m.InVec("words", n/4, 4*w), Slot: m.InVec("slot", n, 2)}
	a, b, held := m.DataVec("a_now", n, w), m.DataVec("b_now", n, w), m.RegVec("held", n, w, 1)
	a.Set(io.A)
	b.Set(io.B)
	m.For("lane", n, func(l hw.Index) {
		m.When(io.C.At(l).And(io.Write), func() { held.At(l).Set(a.At(l).Xor(b.At(l))) })
	})
	io.each(m, a, b, held)
	io.groups(m, p)
	io.memory(m, p)
	return io
}

// out adds an output with n lanes, computed by f.
func (io *LanesPorts) out(m *hw.Module, name string, n, width int, f func(l hw.Index) hw.Bits) {
	o := m.OutVec("o_"+name, n, width)
	m.For("each_"+name, n, func(l hw.Index) { o.At(l).Set(f(l)) })
	io.Vecs = append(io.Vecs, o)
}

func (io *LanesPorts) each(m *hw.Module, a, b, held hw.Vec) {
	n, w := a.Len(), a.Width()
	for _, op := range []struct {
		name  string
		width int
		f     func(a, b, c, all hw.Bits) hw.Bits
	}{
		{"and", w, func(a, b, _, _ hw.Bits) hw.Bits { return a.And(b) }},
		{"or", w, func(a, _, _, all hw.Bits) hw.Bits { return a.Or(all) }},
		{"xor", w, func(a, _, _, _ hw.Bits) hw.Bits { return a.Xor(hw.K(1)) }},
		{"not", w, func(a, _, _, _ hw.Bits) hw.Bits { return a.Not() }},
		{"add", w, func(a, b, _, _ hw.Bits) hw.Bits { return a.Add(b) }},
		{"sub", w, func(a, b, _, _ hw.Bits) hw.Bits { return a.Sub(b) }},
		{"lowest", w, func(a, b, _, _ hw.Bits) hw.Bits { return a.Sub(b).Lowest() }},
		{"mux", w, func(a, b, c, _ hw.Bits) hw.Bits { return hw.Mux(c, a, b) }},
		{"mux_eq", w, func(a, b, _, all hw.Bits) hw.Bits { return hw.Mux(a.Eq(b), a, all) }},
		{"mux_yes", w, func(a, b, c, _ hw.Bits) hw.Bits { return hw.Mux(c, a, hw.K(0)).Xor(b) }},
		{"mux_no", w, func(a, b, c, _ hw.Bits) hw.Bits { return hw.Mux(c, hw.K(0), a).Xor(b) }},
		{"eq", 1, func(a, _, _, all hw.Bits) hw.Bits { return a.Eq(all) }},
		{"ne", 1, func(a, b, _, _ hw.Bits) hw.Bits { return a.Ne(b) }},
		{"lt", 1, func(a, b, _, _ hw.Bits) hw.Bits { return a.Lt(b) }},
		{"le", 1, func(a, b, _, _ hw.Bits) hw.Bits { return a.Le(b) }},
		{"any", 1, func(a, b, _, _ hw.Bits) hw.Bits { return a.And(b).Any() }},
		{"all", 1, func(a, b, _, _ hw.Bits) hw.Bits { return a.Or(b).All() }},
		{"high", 1, func(a, b, _, _ hw.Bits) hw.Bits { return a.Xor(b).Bit(w - 1) }},
		{"cut", w / 2, func(a, b, _, _ hw.Bits) hw.Bits { return a.Xor(b).Slice(w-1, w-w/2) }},
		{"ext", w + 1, func(a, _, _, _ hw.Bits) hw.Bits { return a.Ext(w + 1) }},
		{"sizes", w + 1, func(a, b, _, _ hw.Bits) hw.Bits { return hw.Cat(a.Xor(b).Slice(w-1, 1), a.Add(b).Slice(1, 0)) }},
		{"joined", w, func(a, _, c, _ hw.Bits) hw.Bits { return hw.Cat(c, a.Slice(w-1, 1)) }},
	} {
		io.out(m, op.name, n, op.width, func(l hw.Index) hw.Bits { return op.f(a.At(l), b.At(l), io.C.At(l), io.All) })
	}
	io.out(m, "held", n, w, held.At)
	for _, size := range []int{6, 7} {
		number := func(x hw.Bits) hw.Bits { return x.Resize(size).Decode(w) }
		io.out(m, fmt.Sprint("bit_test", size), n, 1, func(l hw.Index) hw.Bits { return number(b.At(l)).And(a.At(l)).Any() })
		io.out(m, fmt.Sprint("bit_set", size), n, w, func(l hw.Index) hw.Bits {
			return hw.Mux(io.C.At(l), number(b.At(l)), hw.Lit(w, 0)).Xor(a.At(l))
		})
	}
	io.out(m, "diagonal", min(n, w), 1, func(l hw.Index) hw.Bits { return a.At(l).Unpack(1).At(l) })
	io.out(m, "constant", 8, 1, hw.Lit(8, 0xc1).Unpack(1).At)
	io.out(m, "constants", 8, 2, hw.Lit(16, 0xe5b1).Unpack(2).At)
}

// groups adds words of four fields, four lanes as a word, and permuted bits.
func (io *LanesPorts) groups(m *hw.Module, p Lanes) {
	n, w := p.Lanes, p.Width
	fields := m.WireVec("fields", n, w)
	m.For("group", n/4, func(g hw.Index) {
		m.For("field", 4, func(k hw.Index) { fields.At(g.Times(4).Add(k)).Set(io.Words.At(g).Unpack(w).At(k)) })
	})
	io.out(m, "fields", n, w, fields.At)
	io.out(m, "valid", n, 1, func(l hw.Index) hw.Bits { return fields.At(l).Bit(0) })
	io.out(m, "hits", n/4, 4, func(g hw.Index) hw.Bits {
		four := m.WireVec("four", 4, w)
		m.For("way", 4, func(k hw.Index) { four.At(k).Set(fields.At(g.Times(4).Add(k))) })
		return four.EqLanes(io.Key.At(g))
	})
	tested, taken := m.WireVec("tested", n, 1), m.WireVec("taken", n, w)
	io.out(m, "tested", n, 1, tested.At)
	io.out(m, "taken", n, w, taken.At)
	numbers := m.WireVec("numbers", n/4, w) // decoded, one per four lanes
	m.For("number", n/4, func(g hw.Index) { numbers.At(g).Set(io.Key.At(g).Resize(6).Decode(w)) })
	m.For("numbered", n/4, func(g hw.Index) {
		m.For("lane_of", 4, func(k hw.Index) {
			l := g.Times(4).Add(k)
			tested.At(l).Set(numbers.At(g).And(io.A.At(l)).Any())
			taken.At(l).Set(io.B.At(l).Or(hw.Mux(io.C.At(l), numbers.At(g), hw.Lit(w, 0))))
		})
	})
	size := hw.IndexWidth(n)
	number := io.Key.N(0).Resize(size)
	io.out(m, "lane_is", n, 1, func(l hw.Index) hw.Bits { return number.Eq(l.Bits(size)) })
	io.out(m, "lane_half", n, 1, func(l hw.Index) hw.Bits {
		return io.Key.N(0).Resize(size + 1).Eq(l.Times(2).Bits(size + 1))
	})
	if n%8 == 0 {
		gated := m.WireVec("gated", n, 1)
		m.For("gate", n, func(l hw.Index) { gated.At(l).Set(io.C.At(l).And(io.Write)) })
		bytes := func(at func(k int) int) func(g hw.Index) hw.Bits {
			return func(g hw.Index) hw.Bits {
				var list []hw.Bits
				for k := range 8 {
					list = append(list, gated.At(g.Times(8).Plus(at(7-k))))
				}
				return hw.Cat(list...)
			}
		}
		io.out(m, "bytes", n/8, 8, bytes(func(k int) int { return k }))
		io.out(m, "reversed", n/8, 8, bytes(func(k int) int { return 7 - k }))
		io.out(m, "repeated", n/8, 8, bytes(func(int) int { return 0 }))
	}
	listed := m.WireVec("listed", 4, w) // shared by all lanes
	m.For("of_list", 4, func(k hw.Index) { listed.At(k).Set(io.A.At(k).Xor(io.All)) })
	io.out(m, "found", n, 4, func(l hw.Index) hw.Bits { return listed.EqLanes(io.B.At(l)) })
	io.out(m, "packed", n/4, 4*w, func(g hw.Index) hw.Bits {
		at := func(k int) hw.Bits { return fields.At(g.Times(4).Plus(k)) }
		return hw.Cat(at(3), at(2), at(1), at(0))
	})
	io.bits(m, n)
	io.thirds(m, p)
}

// bits adds permuted bits: transposed, and with repetitions.
func (io *LanesPorts) bits(m *hw.Module, n int) {
	turned, back, twice := m.WireVec("turned", n, 1), m.WireVec("back", n, 1), m.WireVec("twice", n, 1)
	m.For("turn", n/4, func(g hw.Index) {
		m.For("quarter", 4, func(k hw.Index) {
			across, along := k.Times(n/4).Add(g), g.Times(4).Add(k)
			turned.At(across).Set(io.C.At(along).Not())
			back.At(along).Set(io.C.At(across).Not())
			twice.At(along).Set(io.C.At(g).Xor(io.C.At(along)))
		})
	})
	io.out(m, "turned", n, 1, turned.At)
	io.out(m, "back", n, 1, back.At)
	io.out(m, "twice", n, 1, twice.At)
}

// thirds adds words with three fields, which is not a power of two.
func (io *LanesPorts) thirds(m *hw.Module, p Lanes) {
	n, w := p.Lanes, p.Width
	words, fields := m.DataVec("three", n/4, 3*w), m.WireVec("thirds", n/4*3, w)
	m.For("three_of", n/4, func(g hw.Index) {
		words.At(g).Set(io.Words.At(g).Trunc(3 * w))
		m.For("third", 3, func(k hw.Index) { fields.At(g.Times(3).Add(k)).Set(words.At(g).Unpack(w).At(k)) })
	})
	io.out(m, "thirds", n/4*3, w, fields.At)
}

// memory adds a memory of three words per lane.
func (io *LanesPorts) memory(m *hw.Module, p Lanes) {
	io.out(m, "read", p.Lanes, p.Width, func(l hw.Index) hw.Bits {
		mem := m.Mem("mem", 3, p.Width)
		m.When(io.C.At(l), func() { mem.Write(io.Slot.At(l), io.A.At(l)) })
		return mem.Read(io.Slot.At(l))
	})
}
