package netlist

import "github.com/hotline-rtl/hotline/hw/ir"

// extend returns x, zero-extended to width bits.
func (b *builder) extend(from origin, width int, x Net) Net {
	more := width - int(b.d.Width[x])
	if more == 0 {
		return x
	}
	n := b.one(from, ir.ZExt, width, 0, x)
	b.joins[n] = []Net{b.zeros(more), x}
	return n
}

func (b *builder) zeros(width int) Net { return b.constNet(width, make([]uint64, ir.Words(width))) }

// shift returns x shifted by a constant: a slice of x at another position.
func (b *builder) shift(from origin, code ir.Op, x Net, amount []uint64) Net {
	w, k := int(b.d.Width[x]), clampedTo(amount, int(b.d.Width[x]))
	switch {
	case k == 0:
		return x
	case code == ir.ShrS:
		k = min(k, w-1)
		return b.one(from, ir.SExt, w, 0, b.slice(from, x, k, w-k))
	case k == w:
		return b.zeros(w)
	case code == ir.ShrU:
		return b.extend(from, w, b.slice(from, x, k, w-k))
	}
	return b.join(from, w, []Net{b.slice(from, x, 0, w-k), b.zeros(k)})
}

// clampedTo returns the number in words, limited to most.
func clampedTo(words []uint64, most int) int {
	for _, high := range words[1:] {
		if high != 0 {
			return most
		}
	}
	return int(min(words[0], uint64(most)))
}
