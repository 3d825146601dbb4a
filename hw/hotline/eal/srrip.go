package eal

import "github.com/hotline-rtl/hotline/hw"

// blocks are the fields of the blocks of a set; vectors by way.
type blocks struct{ valid, rrpv, tag hw.Vec }

// unpack takes a memory word apart.
func (p bank) unpack(m *hw.Module, word hw.Bits) blocks {
	set := word.Unpack(BlockWidth(p.Params))
	b := blocks{m.WireVec("block_valid", p.Ways, 1), m.WireVec("block_rrpv", p.Ways, 2), m.WireVec("block_tag", p.Ways, p.TagBits)}
	m.For("field", p.Ways, func(w hw.Index) {
		b.valid.At(w).Set(set.At(w).Bit(p.TagBits + 2))
		b.rrpv.At(w).Set(set.At(w).Slice(p.TagBits+1, p.TagBits))
		b.tag.At(w).Set(set.At(w).Trunc(p.TagBits))
	})
	return b
}

// outcome of comparing a set with a tag: whether and where (one-hot) it was
// found. A learning miss chooses a victim instead, and all blocks age by age.
type outcome struct{ hit, chosen, age hw.Bits }

func (p bank) match(m *hw.Module, set blocks, tag, learn hw.Bits) outcome {
	valid := set.valid.Pack()
	found := set.tag.EqLanes(tag).And(valid).As("found")
	hit := found.Any().As("match_hit")

	unused := valid.Not().As("unused")
	oldest, age := hw.Lit(p.Ways, 1<<p.Ways-1), hw.Lit(2, rrpvMax)
	for rrpv := 1; rrpv <= rrpvMax; rrpv++ {
		has := set.rrpv.EqLanes(hw.K(rrpv))
		oldest = hw.Mux(has.Any(), has, oldest)
		age = hw.Mux(has.Any(), hw.K(rrpvMax-rrpv), age)
	}
	victim := hw.Mux(unused.Any(), unused, oldest).Lowest().As("victim")
	return outcome{
		hit:    hit,
		chosen: hw.Mux(hit.Or(learn.Not()), found, victim),
		age:    hw.Mux(hit.Or(unused.Any()), hw.K(0), age).As("match_age"),
	}
}

// updated is the memory word after a learning access.
func (p bank) updated(m *hw.Module, set blocks, tag, hit, chosen, age hw.Bits) hw.Bits {
	next := m.WireVec("next_block", p.Ways, BlockWidth(p.Params))
	accessed := hw.Cat(hw.Lit(1, 1), hw.Mux(hit, hw.Lit(2, rrpvHit), hw.K(rrpvInsert)), tag).As("accessed")
	m.For("way", p.Ways, func(w hw.Index) {
		aged := hw.Cat(set.valid.At(w), set.rrpv.At(w).Add(age), set.tag.At(w))
		next.At(w).Set(hw.Mux(chosen.Unpack(1).At(w), accessed, aged))
	})
	return next.Pack()
}
