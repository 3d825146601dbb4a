package random

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw"
)

// bits returns a random value of w bits, with operators nested at most depth deep.
func (b *builder) bits(w, depth int) hw.Bits {
	if b.crowded() {
		depth = min(depth, 1)
	}
	if depth <= 0 || b.chance(6) || !b.spend((w+63)/64) {
		return b.leaf(w)
	}
	d := depth - 1
	makers := []func(w, d int) hw.Bits{b.arith, b.arith, b.shift, b.choice, b.splice, b.lookup, b.encoded}
	if w == 1 {
		makers = append(makers, b.relation, b.relation, b.reduction)
	}
	x := favour(b, makers)(w, d)
	if b.chance(40) {
		b.keep(x) // later expressions share the operation
	}
	return x
}

// leaf returns a constant or a signal, adapted to w bits.
func (b *builder) leaf(w int) hw.Bits {
	if b.chance(8) {
		return b.constant(w)
	}
	if b.at.loop.n > 0 && b.chance(8) {
		return b.fit(b.number(), w)
	}
	var x hw.Bits
	for range 4 { // prefer a signal of the right width
		if x = b.signal(); x.Width() == w {
			return x
		}
	}
	return b.fit(x, w)
}

// fit adapts x to w bits.
func (b *builder) fit(x hw.Bits, w int) hw.Bits {
	switch v := x.Width(); {
	case v > w:
		lo := b.r.IntN(v - w + 1)
		return x.Slice(lo+w-1, lo)
	case w%v == 0 && b.chance(3):
		return x.Repeat(w / v)
	case b.chance(2):
		return x.SExt(w)
	default:
		return x.Ext(w)
	}
}

// signal returns a value that can be read here. At least one port always exists.
func (b *builder) signal() hw.Bits {
	for {
		at := b.at
		for at.outer != nil && b.chance(2) {
			at = at.outer
		}
		switch n := b.r.IntN(len(at.bits) + len(at.vecs) + 1); {
		case n < len(at.bits):
			return at.bits[n]
		case n < len(at.bits)+len(at.vecs):
			return b.element(at.vecs[n-len(at.bits)])
		}
	}
}

// element returns an element of v whose index is known at elaboration.
func (b *builder) element(v hw.Vec) hw.Bits {
	at := hw.At(0)
	left := v.Len() - 1
	for l := b.at; l != nil; l = l.outer {
		if l.loop.n < 1 || (l.loop.n-1) > left || b.chance(4) {
			continue
		}
		left -= l.loop.n - 1
		if b.chance(3) {
			at = at.Add(l.loop.index.Times(-1).Plus(l.loop.n - 1))
		} else {
			at = at.Add(l.loop.index)
		}
	}
	return v.At(at.Plus(b.r.IntN(left + 1)))
}

func (b *builder) constant(w int) hw.Bits {
	switch b.r.IntN(4) {
	case 0:
		return hw.Zeros(w)
	case 1:
		return hw.Ones(w)
	}
	var parts []hw.Bits
	for ; w > 64; w -= 64 {
		parts = append(parts, hw.Lit(64, b.r.Uint64()))
	}
	return hw.Cat(append(parts, hw.Lit(w, b.r.Uint64()>>(64-w)))...)
}

func (b *builder) arith(w, d int) hw.Bits {
	x := b.bits(w, d)
	switch b.r.IntN(3) {
	case 0:
		return pick(b.r, []func(hw.Bits) hw.Bits{hw.Bits.Not, hw.Bits.Neg, hw.Bits.Inc, hw.Bits.Dec, hw.Bits.Lowest})(x)
	}
	ops := []func(x, y hw.Bits) hw.Bits{hw.Bits.Add, hw.Bits.Sub, hw.Bits.And, hw.Bits.Or, hw.Bits.Xor}
	if !b.p.Plain || w <= 64 {
		ops = append(ops, hw.Bits.Mul)
	}
	if !b.p.Plain {
		ops = append(ops, hw.Bits.Div, hw.Bits.Mod)
	}
	y := b.bits(w, d)
	if b.chance(5) {
		y = hw.K(1)
	}
	return pick(b.r, ops)(x, y)
}

func (b *builder) relation(_, d int) hw.Bits {
	w := b.width()
	ops := []func(x, y hw.Bits) hw.Bits{hw.Bits.Eq, hw.Bits.Ne, hw.Bits.Lt, hw.Bits.Le, hw.Bits.Gt, hw.Bits.Ge, hw.Bits.LtS}
	return pick(b.r, ops)(b.bits(w, d), b.bits(w, d))
}

func (b *builder) reduction(_, d int) hw.Bits {
	ops := []func(hw.Bits) hw.Bits{hw.Bits.All, hw.Bits.Any, hw.Bits.Parity, hw.Bits.IsZero}
	return pick(b.r, ops)(b.bits(b.width(), d))
}

func (b *builder) shift(w, d int) hw.Bits {
	ops := []func(x, y hw.Bits) hw.Bits{hw.Bits.Shl, hw.Bits.Shr, hw.Bits.ShrS}
	amount := b.bits(1+b.r.IntN(8), d)
	if b.chance(3) {
		amount = b.bits(b.width(), d)
	}
	return pick(b.r, ops)(b.bits(w, d), amount)
}

func (b *builder) choice(w, d int) hw.Bits { return hw.Mux(b.bits(1, d), b.bits(w, d), b.bits(w, d)) }

// splice returns a value that is cut or joined.
func (b *builder) splice(w, d int) hw.Bits {
	switch n := b.r.IntN(4); {
	case n == 0 && w > 1:
		k := 1 + b.r.IntN(w-1)
		return hw.Cat(b.bits(k, d), b.bits(w-k, d))
	case n == 1 && w > 1:
		k := 1 + b.r.IntN(w-1)
		return pick(b.r, []func(hw.Bits, int) hw.Bits{hw.Bits.Ext, hw.Bits.SExt})(b.bits(k, d), w)
	case n == 2:
		return b.bits(w, d).Resize(w)
	}
	lo := b.r.IntN(4)
	return b.bits(w+lo+b.r.IntN(3), d).Slice(w+lo-1, lo)
}

// lookup returns a value read from a vector or a memory.
func (b *builder) lookup(w, d int) hw.Bits {
	for l := b.at; l != nil; l = l.outer {
		if i := slices.IndexFunc(l.mems, func(m memory) bool { return m.width == w && !m.ports }); i >= 0 && b.chance(2) {
			return l.mems[i].Read(b.bits(hw.IndexWidth(l.mems[i].depth), d))
		}
	}
	v := b.vec(b.length(), w, d)
	switch b.r.IntN(4) {
	case 0:
		return v.Index(b.bits(hw.IndexWidth(v.Len()), d))
	case 1:
		return v.ReduceOr()
	case 2:
		return v.Select(b.bits(v.Len(), d))
	}
	return b.element(v)
}

// encoded returns the result of an operator that changes the encoding of a number.
func (b *builder) encoded(w, d int) hw.Bits {
	switch n := b.r.IntN(5); {
	case n == 0 && w <= 7:
		return b.bits(1<<(w-1)+1+b.r.IntN(1<<(w-1)), d).Encode()
	case n == 1 && w <= 7:
		return b.bits(1<<(w-1)+b.r.IntN(1<<(w-1)), d).Count()
	case n == 2 && w <= 16:
		k := b.width()
		return b.vec(w, k, d).EqLanes(b.bits(k, d))
	case n == 3:
		for _, k := range []int{8, 5, 4, 3, 2} {
			if w%k == 0 {
				return b.vec(k, w/k, d).Pack()
			}
		}
	}
	return b.bits(1+b.r.IntN(8), d).Decode(w)
}

// vec returns a random vector of n elements of w bits.
func (b *builder) vec(n, w, depth int) hw.Vec {
	d := depth - 1
	for l := b.at; l != nil && b.chance(2); l = l.outer {
		for _, v := range l.vecs {
			if v.Len() == n && v.Width() == w {
				return v
			}
		}
	}
	if depth > 0 {
		ops := []func(x, y hw.Vec) hw.Vec{hw.Vec.And, hw.Vec.Or, hw.Vec.Xor}
		switch k := b.r.IntN(8); {
		case k == 0:
			return b.vec(n, w, d).With(b.bits(hw.IndexWidth(n), d), b.bits(w, d))
		case k == 1:
			return pick(b.r, ops)(b.vec(n, w, d), b.vec(n, w, d))
		case k == 2:
			return hw.Mux(b.bits(1, d), b.vec(n, w, d), b.vec(n, w, d))
		case k == 5:
			first := b.r.IntN(3)
			return b.vec(first+n+b.r.IntN(2), w, d).Part(first, n)
		case k == 3 && n*w <= 260:
			return b.bits(n*w, d).Unpack(w)
		case k == 4 && w <= 16:
			return hw.Route(b.bits(w, d), b.vec(w, 1+b.r.IntN(3), d), n)
		}
	}
	if n > 8 && !b.chance(4) {
		return b.bits(n*w, min(d, 1)).Unpack(w)
	}
	elems := make([]hw.Bits, n)
	for i := range elems {
		elems[i] = b.bits(w, min(d, 1))
	}
	return hw.VecOf(elems...)
}
