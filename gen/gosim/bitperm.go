package gosim

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/code"
)

// rearrangement is a way to compute a word whose bit k is lane
// base + sum(k_i * muls[i]) of a one-bit value, k_i being the binary digits of k.
type rearrangement struct {
	cost int
	base int
	muls []int
	// The word consists of two of half the size, whose groups of 1<<digit bits
	// alternate; -1 for words that are read.
	digit int
	even  *rearrangement
	odd   *rearrangement // nil if it is the same as even
}

// binary finds the digits of moves from one value; false if there are none.
func binary(moves []ref) (muls []int, ok bool) {
	n := len(moves)
	if n < 4 || n&(n-1) != 0 || moves[0].v == nil || !moves[0].v.bits() {
		return nil, false
	}
	for k := 1; k < n; k *= 2 {
		muls = append(muls, moves[k].lane-moves[0].lane)
	}
	for k, r := range moves {
		lane := moves[0].lane
		for i, m := range muls {
			lane += k >> i & 1 * m
		}
		if r.v != moves[0].v || r.lane != lane {
			return nil, false
		}
	}
	return muls, true
}

// rearranged is the cheapest rearrangement.
func rearranged(base int, muls []int) *rearrangement {
	if r := readable(base, muls); r != nil {
		return r
	}
	var best *rearrangement
	for j := range muls {
		rest := slices.Delete(slices.Clone(muls), j, j+1)
		r := &rearrangement{base: base, muls: muls, digit: j, even: rearranged(base, rest)}
		spread := 3 * (len(rest) - j)
		r.cost = r.even.cost + spread + 2
		if muls[j] != 0 {
			r.odd = rearranged(base+muls[j], rest)
			r.cost += r.odd.cost + spread
		}
		if best == nil || r.cost < best.cost {
			best = r
		}
	}
	return best
}

// readable is a rearrangement without parts: the same bit everywhere, or bits at
// a distance of a power of two in a word, or bits that follow each other.
func readable(base int, muls []int) *rearrangement {
	r := &rearrangement{base: base, muls: muls, digit: -1}
	n := 1 << len(muls)
	stride := 1
	if len(muls) > 0 {
		stride = muls[0]
	}
	for i, m := range muls {
		if m != stride<<i {
			return nil
		}
	}
	switch {
	case stride == 0:
		r.cost = 3
	case stride == 1:
		r.cost = 2
	case stride > 0 && stride&(stride-1) == 0 && base%64+(n-1)*stride < 64:
		r.cost = 2 + 3*len(muls)
	default:
		return nil
	}
	return r
}

// rearrange does what r needs and gives its word.
func (e *emitter) rearrange(v *value, r *rearrangement) *code.Expr {
	if r.digit < 0 {
		return e.picked(v, r)
	}
	last := len(r.muls) - 1
	x := e.spreadGroups(e.rearrange(v, r.even), last, r.digit)
	y := x
	if r.odd != nil {
		y = e.spreadGroups(e.rearrange(v, r.odd), last, r.digit)
	}
	return e.set(x.Or(y.Up(1 << r.digit)))
}

// picked is the word of a readable rearrangement.
func (e *emitter) picked(v *value, r *rearrangement) *code.Expr {
	n := 1 << len(r.muls)
	first := func() *code.Expr { return lane(v, code.Int(r.base))[0] }
	switch {
	case n == 1:
		return e.set(first())
	case r.muls[0] == 0:
		return e.set(first().Neg().Low(n))
	case r.muls[0] == 1:
		return e.set(e.elementBits(&list{v: v, n: n, stride: 1, base: form{add: r.base}})[0])
	}
	span := r.muls[0] * n
	x := e.set(bitWord(v, code.Int(r.base/64)).Down(r.base % 64).And(code.Num(groups(1, r.muls[0], min(span, 64)))))
	for size, period := 1, r.muls[0]; size < n; size, period = 2*size, 2*period {
		x = e.set(x.Or(x.Down(period - size)).And(code.Num(groups(2*size, 2*period, min(span, 64)))))
	}
	return x
}

// spreadGroups moves groups of 1<<digit bits of the 1<<m bits of x apart, so that
// as many bits are between them.
func (e *emitter) spreadGroups(x *code.Expr, m, digit int) *code.Expr {
	for h := m - 1; h >= digit; h-- {
		x = e.set(x.Or(x.Up(1 << h)).And(code.Num(groups(1<<h, 2<<h, 2<<m))))
	}
	return x
}

// groups is a word of n bits with groups of size ones, of that period.
func groups(size, period, n int) uint64 {
	x := ones(size)
	for p := period; p < n; p *= 2 {
		x |= x << p
	}
	return x & ones(n)
}
