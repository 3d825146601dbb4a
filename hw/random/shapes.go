package random

import (
	"math/bits"

	"github.com/hotline-rtl/hotline/hw"
)

// structure describes a structure that engines recognise or treat specially. Random nesting of
// operators rarely produces them.
func (b *builder) structure() {
	kinds := []func(){b.crc, b.leadingZeros, b.bigSwitch, b.barrel, b.sticky, b.alike, b.row}
	if !b.p.Plain {
		kinds = append(kinds, b.wideProduct)
	}
	pick(b.r, kinds)()
}

// register declares a register, with a reset where resets are allowed.
func (b *builder) register(prefix string, w int) hw.Bits {
	if b.unreset || b.chance(2) {
		return b.keep(b.m.Data(b.name(prefix), w))
	}
	return b.keep(b.m.Reg(b.name(prefix), w, b.r.Uint64()>>(64-min(w, 64))))
}

// wireOf declares a wire driven by x.
func (b *builder) wireOf(prefix string, x hw.Bits) {
	wire := b.m.Wire(b.name(prefix), x.Width())
	wire.Set(x)
	b.keep(wire)
}

// crc describes a cyclic redundancy check of up to 32 bits over a word, with a random polynomial.
func (b *builder) crc() {
	w, n := 4+b.r.IntN(29), 1+b.r.IntN(24)
	if !b.spend(3 * n) {
		return
	}
	polynomial := hw.Lit(w, b.r.Uint64()>>(64-w)|1)
	sum, data := b.register("crc", w), b.bits(n, 1)
	next := sum
	for i := range n {
		feedback := next.Bit(w - 1).Xor(data.Bit(i))
		next = hw.Cat(next.Slice(w-2, 0), hw.Lit(1, 0)).Xor(feedback.Repeat(w).And(polynomial))
	}
	b.m.When(b.bits(1, 1), func() { sum.Set(next) })
}

// leadingZeros counts the zeros above the highest set bit, in one of three formulations.
func (b *builder) leadingZeros() {
	w := 2 + b.r.IntN(47)
	if !b.spend(w) {
		return
	}
	x := b.keep(b.bits(w, 2))
	k := bits.Len(uint(w))
	count := b.m.Wire(b.name("zeros"), k)
	none := hw.Lit(k, uint64(pick(b.r, []int{w, w, w - 1, b.r.IntN(w)})))
	switch b.r.IntN(3) {
	case 0: // one multiplexer per bit
		out := none
		for i := range w {
			out = hw.Mux(x.Bit(i), hw.Lit(k, uint64(w-1-i)), out)
		}
		count.Set(out)
	case 1: // the lowest set bit of the reversed value, encoded
		var reverse []hw.Bits
		for i := range w {
			reverse = append(reverse, x.Bit(i))
		}
		count.Set(hw.Mux(x.Any(), hw.Cat(reverse...).Lowest().Encode().Ext(k), none))
	case 2: // repeatedly halve the remaining value
		size := 1 << bits.Len(uint(w-1))
		left := hw.Cat(x, hw.Zeros(size)).Slice(size+w-1, w) // x aligned to the upper end of a power of two
		out := hw.Zeros(k)
		for step := size / 2; step > 0; step /= 2 {
			empty := left.Slice(size-1, size-step).IsZero()
			out = hw.Mux(empty, out.Add(hw.Lit(k, uint64(step)&(1<<k-1))), out)
			if step > 1 {
				left = hw.Mux(empty, left.Shl(hw.K(step)), left)
			}
		}
		count.Set(hw.Mux(x.Any(), out, none))
	}
	b.keep(count)
}

// bigSwitch chooses among many constants, more than engines compare one by one.
func (b *builder) bigSwitch() {
	w, n := 5+b.r.IntN(4), 16+b.r.IntN(33)
	if !b.spend(n) {
		return
	}
	n = min(n, 1<<w)
	out := b.m.Wire(b.name("chosen"), b.width())
	out.Set(b.bits(out.Width(), 1))
	s := b.m.Switch(b.bits(w, 1))
	for _, v := range b.r.Perm(1 << w)[:n] {
		s = s.Case(hw.K(v), func() { out.Set(b.leaf(out.Width())) })
	}
	b.keep(out)
}

// barrel rotates a value by a variable amount, in two formulations.
func (b *builder) barrel() {
	w := min(2+b.r.IntN(80), 8+b.r.IntN(80))
	k := bits.Len(uint(w - 1))
	if !b.spend(2 * k * ((w + 63) / 64)) {
		return
	}
	x, amount := b.bits(w, 1), b.bits(k, 1)
	if b.chance(2) {
		b.wireOf("rotated", x.Shl(amount).Or(x.Shr(hw.Lit(k+1, uint64(w)).Sub(amount.Ext(k+1)))))
		return
	}
	for i := range k {
		x = hw.Mux(amount.Bit(i), x.RotL(1<<i), x)
	}
	b.wireOf("rotated", x)
}

// sticky shifts a zero-padded value to the right and reports whether bits are lost, as
// floating-point adders do.
func (b *builder) sticky() {
	w, below := 2+b.r.IntN(60), 1+b.r.IntN(70)
	k := 1 + b.r.IntN(8)
	if !b.spend(2 * ((w + below + 63) / 64)) {
		return
	}
	x, amount := b.bits(w, 1), b.bits(k, 1)
	shifted := hw.Cat(x, hw.Zeros(below)).Shr(amount)
	b.keep(shifted.Slice(w+below-1, below))
	b.wireOf("sticky", shifted.Slice(below-1, 0).Any())
}

// alike describes lanes that compute the same function of their own registers, each with a
// multiplier.
func (b *builder) alike() {
	n, w := 4+b.r.IntN(9), 2+b.r.IntN(31)
	if !b.spend(6 * n) {
		return
	}
	out := b.m.WireVec(b.name("alike_out"), n, w)
	common := b.bits(w, 1)
	op := pick(b.r, []func(x, y hw.Bits) hw.Bits{hw.Bits.Add, hw.Bits.Sub, hw.Bits.Xor})
	b.m.For(b.name("alike"), n, func(i hw.Index) {
		x, y := b.m.Data(b.name("x"), w), b.m.Data(b.name("y"), w)
		x.Set(op(y, common))
		y.Set(hw.Mux(x.Lt(y), x.Mul(y), op(x, i.Bits(max(w, 4)).Trunc(w))))
		out.At(i).Set(op(x.Mul(common), y))
	})
	b.keepVec(out)
}

// row describes a memory with words of nearly, exactly or slightly more than 512 bits, written and
// read as whole words.
func (b *builder) row() {
	depth, w := 2+b.r.IntN(40), 440+b.r.IntN(80)
	if b.chance(3) {
		w = 512
	}
	if !b.spend(30) {
		return
	}
	rows := b.m.Mem(b.name("rows"), depth, w)
	at := hw.IndexWidth(depth)
	b.m.When(b.bits(1, 1), func() { rows.Write(b.bits(at, 1), b.bits(w, 1)) })
	if b.chance(2) {
		rd := rows.Port(b.name("read"))
		rd.Read(b.bits(at, 1))
		b.keep(rd.Data)
		return
	}
	b.keep(rows.Read(b.bits(at, 1)))
}

// wideProduct describes a register that holds a product, quotient or remainder of about a whole
// number of words.
func (b *builder) wideProduct() {
	w := 64*(1+b.r.IntN(16)) + pick(b.r, []int{0, 0, 0, -1, 1})
	if !b.spend(w / 16) {
		return
	}
	x := b.register("product", w)
	x.Set(pick(b.r, []func(x, y hw.Bits) hw.Bits{hw.Bits.Mul, hw.Bits.Div, hw.Bits.Mod})(b.bits(w, 1), b.bits(w, 1)))
}
