package regbank

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// writes describes bus writes.
func (b *bank) writes() {
	m, bus := b.m, b.bus
	for _, p := range b.regs.Places() {
		if p.Field.Access == regmap.Pulse {
			b.fields[p.Name()].Set(hw.K(0))
		}
	}
	allowed := bus.Write
	if b.regs.WholeWords {
		b.whole = bus.WriteStrb.All().As("write_whole")
		allowed = allowed.And(b.whole)
	} else {
		b.mask = m.Wire("write_mask", regmap.WordBits)
		for i := range regmap.WordBytes {
			b.mask.Slice(8*i+7, 8*i).Set(bus.WriteStrb.Bit(i).Repeat(8))
		}
	}
	b.refuse()
	m.When(allowed, func() {
		sw := m.Switch(bus.WriteAddr)
		for _, w := range b.words(regmap.Register.Writes) {
			sw = sw.Case(b.label(w), func() { b.write(w) })
		}
		sw.Default(func() {})
	})
}

// refuse reports an error for writes that are not possible.
func (b *bank) refuse() {
	var words []hw.Bits
	for _, w := range b.words(regmap.Register.Writes) {
		words = append(words, b.label(w))
	}
	b.bus.WriteError.Set(hw.K(1))
	if len(words) == 0 {
		return
	}
	known := func() {
		b.m.Switch(b.bus.WriteAddr).Any(words, func() { b.bus.WriteError.Set(hw.K(0)) }).Default(func() {})
	}
	if b.regs.WholeWords {
		b.m.When(b.whole, known)
	} else {
		known()
	}
}

// write changes the fields of a word.
func (b *bank) write(w word) {
	for _, f := range w.Fields {
		high, low, from, ok := f.Part(w.n)
		if !ok || !f.Access.Writes() {
			continue
		}
		x := b.field(w, f).Slice(from+high-low, from)
		data := b.bus.WriteData.Slice(high, low)
		if !b.regs.WholeWords && f.Access != regmap.ReadWrite && f.Access != regmap.WriteOnly {
			data = data.And(b.mask.Slice(high, low))
		}
		switch f.Access {
		case regmap.OneClears:
			x.Set(x.And(data.Not()))
		case regmap.OneSets:
			x.Set(x.Or(data))
		case regmap.Pulse:
			x.Set(data)
		default:
			x.Set(b.merged(x, data, high, low))
		}
	}
}

// merged returns data in the written bytes, and x in the others.
func (b *bank) merged(x, data hw.Bits, high, low int) hw.Bits {
	if b.regs.WholeWords {
		return data
	}
	mask := b.mask.Slice(high, low)
	return x.And(mask.Not()).Or(data.And(mask))
}
