package simtest

import "github.com/hotline-rtl/hotline/hw"

// Tags is a small design without vectorizable lanes. It contains a map of Bits tags, indexed by
// numbers of Number bits, which may be out of range. Wide registers hold the data of a tag. Known
// adds lanes that one of these registers depends on.
type Tags struct {
	Bits, Number int
	Known        bool
}

// TagsPorts contains the ports of Tags.
type TagsPorts struct {
	Take, Free, Ask hw.Bits // tag numbers
	Taking, Freeing hw.Bits
	Data            hw.Bits // five words and a bit
	Pair            hw.Vec
	Taken, Some     hw.Bits // whether the requested tag is taken; the lowest bits of the map starting at it
	Map, All, Came  hw.Bits
	Last, Old, Met  hw.Bits
	Parts, Alike    hw.Vec
}

// Build implements hw.Generator.
func (p Tags) Build(m *hw.Module) TagsPorts {
	const wide = 5*64 + 1
	io := TagsPorts{Take: m.In("take", p.Number), Free: m.In("free", p.Number), Ask: m.In("ask", p.Number),
		Taking: m.In("taking", 1), Freeing: m.In("freeing", 1), Data: m.In("data", wide), Pair: m.InVec("pair", 1, 70),
		Taken: m.Out("taken", 2), Some: m.Out("some", min(p.Bits, 5)+2), Map: m.Out("map", p.Bits), All: m.Out("all", p.Bits),
		Came: m.Out("came", wide), Met: m.Out("met", wide), Last: m.Out("last", wide), Old: m.Out("old", wide), Parts: m.OutVec("parts", 3, 64), Alike: m.OutVec("alike", 4, 7)}
	tags := m.Reg("tags", p.Bits, 0)
	none := hw.Lit(p.Bits, 0)
	set := hw.Mux(io.Taking, io.Take.Decode(p.Bits), none)
	clear := hw.Mux(io.Freeing, io.Free.Decode(p.Bits), none)
	tags.Set(tags.Or(set).And(clear.Not()))
	io.Map.Set(tags)
	io.Taken.Set(hw.Cat(tags.And(io.Ask.Decode(p.Bits)).Any(), tags.Shr(io.Ask).Bit(0)))
	shifted := hw.Inst(m, "shifted", shift{p.Bits, p.Number})
	shifted.A.Set(tags)
	shifted.By.Set(io.Ask.And(io.Free))
	from := shifted.Down
	io.All.Set(from)
	io.Some.Set(hw.Cat(from.Slice(2, 1), from.Trunc(min(p.Bits, 5))))

	last, old, first := m.Reg("last_q", wide, 5), m.Data("old_q", wide), m.Data("first_q", wide)
	mem := m.Mem("kept", 4, wide)
	came := hw.Cat(io.Data.Slice(wide-2, 0), io.Freeing).As("came_now")
	io.Came.Set(came)
	m.When(io.Taking, func() {
		last.Set(came)
		mem.Write(io.Take.Trunc(2), io.Data)
		m.When(io.Freeing, func() { first.Set(last) })
	})
	m.When(io.Freeing, func() { old.Set(mem.Read(io.Free.Trunc(2))) })
	met := m.Data("met_q", wide)
	take := io.Ask.Eq(io.Free)
	if p.Known {
		take = p.known(m, io)
	}
	m.When(take, func() { met.Set(hw.Cat(io.Data.Slice(wide-2, 0), io.Taking)) })
	if p.Known {
		met = met.Xor(p.seldom(m, io).Resize(wide))
	}
	io.Met.Set(met)
	io.Last.Set(last)
	io.Old.Set(old.Xor(first))
	for k := range 3 {
		io.Parts.At(hw.At(k)).Set(old.Slice(64*k+63, 64*k).Xor(io.Pair.At(hw.At(0)).Slice(k+63, k)))
	}
	m.For("alike_of", 4, func(l hw.Index) { io.Alike.At(l).Set(io.Ask.Resize(7).Add(io.Free.Resize(7))) })
	return io
}

// shift shifts a value to the right.
type shift struct{ Width, Number int }

type shiftPorts struct{ A, By, Down hw.Bits }

func (p shift) Build(m *hw.Module) shiftPorts {
	io := shiftPorts{A: m.In("a", p.Width), By: m.In("by", p.Number), Down: m.Out("down", p.Width)}
	io.Down.Set(io.A.Shr(io.By))
	return io
}

// equal compares two numbers in a separate module, and therefore in a separate location.
type equal struct{ Width int }

type equalPorts struct{ A, B, Same hw.Bits }

func (p equal) Build(m *hw.Module) equalPorts {
	io := equalPorts{A: m.In("a", p.Width), B: m.In("b", p.Width), Same: m.Out("same", 1)}
	io.Same.Set(io.A.Eq(io.B))
	return io
}

// known multiplies many stored numbers by the requested tag number. It reports whether bit 3 of any
// product is set. Its lanes are evaluated late, in a design that is not small.
func (p Tags) known(m *hw.Module, io TagsPorts) hw.Bits {
	const lanes, width = 64, 5
	known, hits := m.DataVec("known", lanes, width), m.WireVec("hits", lanes, 1)
	m.For("each", lanes, func(l hw.Index) {
		known.At(l).Set(known.At(l).Xor(io.Data.Trunc(lanes * width).Unpack(width).At(l)))
		hits.At(l).Set(known.At(l).Mul(io.Ask.Resize(width)).Bit(3))
	})
	return hits.Pack().Any()
}

// seldom returns a register that loads rarely changing values, computed late, when two numbers are
// equal.
func (p Tags) seldom(m *hw.Module, io TagsPorts) hw.Bits {
	const lanes, width = 64, 5
	values, odd := m.DataVec("seldom", lanes, width), m.WireVec("odd", lanes, 1)
	m.When(io.Data.Trunc(4).Any().Not(), func() { values.Set(io.Data.Trunc(lanes * width).Unpack(width)) })
	m.For("odd_of", lanes, func(l hw.Index) { odd.At(l).Set(values.At(l).Mul(values.At(l)).Bit(2)) })
	same := hw.Inst(m, "same", equal{2})
	same.A.Set(io.Ask.Resize(2))
	same.B.Set(io.Free.Resize(2))
	kept := m.Data("kept_q", 3*lanes)
	m.When(same.Same, func() { kept.Set(hw.Cat(odd.Pack(), odd.Pack().Not(), odd.Pack())) })
	return kept
}
