package eal

import "github.com/hotline-rtl/hotline/hw"

// outcome is the result of comparing a set with a tag. Chosen is the one-hot way in which the tag
// was found. For a learning miss, it is the victim, and all blocks age by Age. Learning changes the
// set unless the block already has RRPVHit.
type outcome struct {
	Hit     hw.Bits
	Chosen  hw.Bits `hw:"Ways"`
	Age     hw.Bits `hw:"2"`
	Changed hw.Bits
}

func (p ealBank) match(m *hw.Module, blocks hw.Array[Block], tag, learn hw.Bits) outcome {
	valid := blocks.Vec(func(b Block) hw.Bits { return b.Valid }).Pack()
	rrpvs := blocks.Vec(func(b Block) hw.Bits { return b.RRPV.Bits() })
	tags := blocks.Vec(func(b Block) hw.Bits { return b.Tag })
	found := tags.EqLanes(tag).And(valid).As("found")
	hit := found.Any().As("match_hit")

	unused := valid.Not().As("unused")
	oldest, age := hw.Lit(p.Ways, 1<<p.Ways-1), hw.Lit(2, uint64(RRPVDistant))
	for rrpv := RRPVHit + 1; rrpv <= RRPVDistant; rrpv++ {
		has := rrpvs.EqLanes(hw.Value(m, rrpv).Bits())
		oldest = hw.Mux(has.Any(), has, oldest)
		age = hw.Mux(has.Any(), hw.K(int(RRPVDistant-rrpv)), age)
	}
	victim := hw.Mux(unused.Any(), unused, oldest).Lowest().As("victim")
	return outcome{
		Hit:     hit,
		Chosen:  hw.Mux(hit.Or(learn.Not()), found, victim),
		Age:     hw.Mux(hit.Or(unused.Any()), hw.K(0), age).As("match_age"),
		Changed: learn.And(found.And(rrpvs.EqLanes(hw.Value(m, RRPVHit).Bits())).Any().Not()),
	}
}

// updated returns the set after a learning access in the given epoch.
func (p ealBank) updated(m *hw.Module, read set, tag hw.Bits, o outcome, stretch hw.Bits) set {
	next, accessed := hw.Wire[set](m, "next"), hw.Wire[Block](m, "accessed")
	blocks := hw.Wire[ways](m, "before").Blocks
	read.connect(m, "before_way", blocks)
	accessed.Valid.Set(hw.K(1))
	accessed.Tag.Set(tag)
	m.When(o.Hit, func() { accessed.RRPV.Put(RRPVHit) }).Else(func() { accessed.RRPV.Put(RRPVInsert) })
	next.Changed.Set(hw.Mux(o.Hit, read.Changed, hw.K(1)))
	next.Stretch.Set(hw.Mux(o.Hit, read.Stretch, stretch))
	m.For("way", p.Ways, func(w hw.Index) {
		aged := blocks.At(w)
		aged.RRPV = hw.EnumOf[RRPV](aged.RRPV.Bits().Add(o.Age))
		next.Blocks.At(w).Set(hw.Pack(hw.Mux(o.Chosen.Unpack(1).At(w), accessed, aged)))
	})
	return next
}
