package regbank

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// reads describes what the bus reads, a cycle later.
func (b *bank) reads() {
	m, bus := b.m, b.bus
	value, failed := m.Data("read_value", regmap.WordBits), m.Data("read_failed", 1)
	held := b.declareHeld()
	m.When(bus.Read, func() {
		value.Set(hw.K(0))
		failed.Set(hw.K(1))
		sw := m.Switch(bus.ReadAddr)
		b.words(regmap.Register.Reads, func(r regmap.Register, element, word int) {
			high, isHeld := held[r.WordName(element, 1)]
			sw = sw.Case(b.label(r, element, word), func() {
				failed.Set(hw.K(0))
				if isHeld && word == 1 {
					value.Set(high)
					return
				}
				value.Set(b.word(r, element, word))
				if isHeld {
					high.Set(b.word(r, element, 1))
				}
				b.clear(r, element)
			})
		})
		sw.Default(func() {})
	})
	bus.ReadData.Set(value)
	bus.ReadError.Set(failed)
}

// declareHeld are the high words that reads of low ones keep.
func (b *bank) declareHeld() map[string]hw.Bits {
	held := map[string]hw.Bits{}
	b.words(regmap.Register.Reads, func(r regmap.Register, element, word int) {
		if word == 1 && r.Held() {
			held[r.WordName(element, 1)] = b.m.Reg(identifier(r.WordName(element, 1))+"_held", regmap.WordBits, 0)
		}
	})
	return held
}

// word is what a word reads as: the fields from the highest on, and zeros between them.
func (b *bank) word(r regmap.Register, element, word int) hw.Bits {
	fields := slices.Clone(r.Fields)
	slices.SortFunc(fields, func(a, b regmap.Field) int { return b.Low - a.Low })
	var parts []hw.Bits
	end := regmap.WordBits
	gap := func(above int) {
		if end > above {
			parts = append(parts, hw.Zeros(end-above))
		}
		end = above
	}
	for _, f := range fields {
		if high, low, from, ok := f.Part(word); ok && f.Access.Reads() {
			gap(high + 1)
			parts = append(parts, b.field(r, f, element).Slice(from+high-low, from))
			end = low
		}
	}
	gap(0)
	return hw.Cat(parts...)
}

// clear clears what a read clears.
func (b *bank) clear(r regmap.Register, element int) {
	for _, f := range r.Fields {
		if f.Access == regmap.ReadClear {
			b.field(r, f, element).Set(hw.K(0))
		}
	}
}
