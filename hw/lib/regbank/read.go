package regbank

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/regmap"
)

// reads describes bus reads, which return their result one cycle later.
func (b *bank) reads() {
	m, bus := b.m, b.bus
	value, failed := m.Data("read_value", regmap.WordBits), m.Data("read_failed", 1)
	bus.ReadData.Set(value)
	bus.ReadError.Set(failed)
	words := b.words(regmap.Register.Reads)
	held := map[string]hw.Bits{} // high words, by register and element
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

// read reads a word. high is the register that holds the high word, if there is one.
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

// value returns the read value of a word: its fields, with zeros between them.
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
