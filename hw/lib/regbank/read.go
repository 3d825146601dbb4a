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
	bus.ReadData.Set(value)
	bus.ReadError.Set(failed)
	words := b.words(regmap.Register.Reads)
	held := map[string]hw.Bits{} // high words, by those of registers and elements
	for _, w := range words {
		if w.n == 1 && w.Held() {
			held[w.WordName(w.element, 1)] = m.Reg(w.name()+"_held", regmap.WordBits, 0)
		}
	}
	m.When(bus.Read, func() {
		value.Set(hw.K(0))
		if len(words) == 0 {
			failed.Set(hw.K(1))
			return
		}
		failed.Set(hw.K(0))
		sw := m.Switch(bus.ReadAddr)
		for _, w := range words {
			sw = sw.Case(b.label(w), func() { b.read(w, value, held[w.WordName(w.element, 1)]) })
		}
		sw.Default(func() { failed.Set(hw.K(1)) })
	})
}

// read reads a word. High is the register that holds the high one, if there is one.
func (b *bank) read(w word, value, high hw.Bits) {
	isHeld := high != (hw.Bits{})
	if isHeld && w.n == 1 {
		value.Set(high)
		return
	}
	value.Set(b.value(w))
	if isHeld {
		high.Set(b.value(word{w.Register, w.element, 1}))
	}
	for _, f := range w.Fields {
		if f.Access == regmap.ReadClear {
			b.field(w, f).Set(hw.K(0))
		}
	}
}

// value is what a word reads as: the fields from the highest on, and zeros between them.
func (b *bank) value(w word) hw.Bits {
	fields := slices.Clone(w.Fields)
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
		if high, low, from, ok := f.Part(w.n); ok && f.Access.Reads() {
			gap(high + 1)
			parts = append(parts, b.field(w, f).Slice(from+high-low, from))
			end = low
		}
	}
	gap(0)
	return hw.Cat(parts...)
}
