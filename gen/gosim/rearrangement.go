package gosim

import "slices"

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
