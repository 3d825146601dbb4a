package regbank

import (
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// writes describes what the bus writes.
func (b *bank) writes() {
	m, bus := b.m, b.bus
	bus.WriteError.Set(hw.K(1))
	for _, p := range b.regs.Places() {
		if p.Field.Access == regmap.Pulse {
			b.fields[p.Name()].Set(hw.K(0))
		}
	}
	if b.regs.WholeWords {
		b.whole = bus.WriteStrb.All().As("write_whole")
		m.When(b.whole, b.decodeWrite)
		return
	}
	b.mask = m.Wire("write_mask", regmap.WordBits)
	for i := range regmap.WordBytes {
		b.mask.Slice(8*i+7, 8*i).Set(bus.WriteStrb.Bit(i).Repeat(8))
	}
	b.decodeWrite()
}

func (b *bank) decodeWrite() {
	sw := b.m.Switch(b.bus.WriteAddr)
	b.words(regmap.Register.Writes, func(r regmap.Register, element, word int) {
		sw = sw.Case(b.label(r, element, word), func() {
			b.bus.WriteError.Set(hw.K(0))
			b.m.When(b.bus.Write, func() { b.write(r, element, word) })
		})
	})
	sw.Default(func() {})
}

// write changes the fields of a word.
func (b *bank) write(r regmap.Register, element, word int) {
	for _, f := range r.Fields {
		high, low, from, ok := f.Part(word)
		if !ok || !f.Access.Writes() {
			continue
		}
		x := b.field(r, f, element).Slice(from+high-low, from)
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

// merged is data in the bytes that are written, else x.
func (b *bank) merged(x, data hw.Bits, high, low int) hw.Bits {
	if b.regs.WholeWords {
		return data
	}
	mask := b.mask.Slice(high, low)
	return x.And(mask.Not()).Or(data.And(mask))
}
