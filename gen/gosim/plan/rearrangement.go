package plan

// Rearrangement is a way to compute a word whose bit k is lane Base + sum(k_i * Muls[i]) of a
// one-bit value, where k_i are the binary digits of k.
type Rearrangement struct {
	cost int
	Base int
	Muls []int
	// The word interleaves two words of half the size in groups of 1<<Digit bits; -1 if the word is
	// read from memory.
	Digit int
	Even  *Rearrangement
	Odd   *Rearrangement // nil if it equals Even
}

// Binary returns the digits of moves from one value, or false if the moves have no such form.
func Binary(moves []Ref) (muls []int, ok bool) {
	n := len(moves)
	if n < 4 || n&(n-1) != 0 || moves[0].V == nil || !moves[0].V.Bits() {
		return nil, false
	}
	for k := 1; k < n; k *= 2 {
		muls = append(muls, moves[k].Lane-moves[0].Lane)
	}
	for k, r := range moves {
		lane := moves[0].Lane
		for i, m := range muls {
			lane += k >> i & 1 * m
		}
		if r.V != moves[0].V || r.Lane != lane {
			return nil, false
		}
	}
	return muls, true
}

// Rearranged returns the cheapest rearrangement.
func Rearranged(base int, muls []int) *Rearrangement {
	c := cheapest{muls, map[part]*Rearrangement{}}
	return c.of(part{base, 1<<len(muls) - 1})
}

// part is a rearrangement of some of the digits, a bit set.
type part struct {
	base   int
	digits uint
}

// cheapest memoizes rearrangements, because the same parts recur.
type cheapest struct {
	muls  []int
	found map[part]*Rearrangement
}

func (c cheapest) of(p part) *Rearrangement {
	if c.found[p] == nil {
		c.found[p] = c.find(p)
	}
	return c.found[p]
}

func (c cheapest) find(p part) *Rearrangement {
	var muls []int
	for i, m := range c.muls {
		if p.digits>>i&1 == 1 {
			muls = append(muls, m)
		}
	}
	if r := readable(p.base, muls); r != nil {
		return r
	}
	var best *Rearrangement
	digits := p.digits
	for j, m := range muls {
		rest := p.digits &^ (digits & -digits)
		digits &= digits - 1
		r := &Rearrangement{Base: p.base, Muls: muls, Digit: j, Even: c.of(part{p.base, rest})}
		spread := 3 * (len(muls) - 1 - j)
		r.cost = r.Even.cost + spread + 2
		if m != 0 {
			r.Odd = c.of(part{p.base + m, rest})
			r.cost += r.Odd.cost + spread
		}
		if best == nil || r.cost < best.cost {
			best = r
		}
	}
	return best
}

// readable returns a rearrangement without parts, or nil. The bits are equal, or a power of two
// apart within a word, or contiguous.
func readable(base int, muls []int) *Rearrangement {
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
	cost := 0
	switch {
	case stride == 0:
		cost = 3
	case stride == 1:
		cost = 2
	case stride > 0 && stride&(stride-1) == 0 && base%64+(n-1)*stride < 64:
		cost = 2 + 3*len(muls)
	default:
		return nil
	}
	return &Rearrangement{cost: cost, Base: base, Muls: muls, Digit: -1}
}
