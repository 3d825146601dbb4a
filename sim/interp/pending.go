package interp

import "math/bits"

// set is a bit set with a summary: bit w of top tells that words[w] may not be
// zero. Numbers are grouped in regions, so that each can be scanned alone.
type set struct{ words, top []uint64 }

// mark is bits of one word of a set.
type mark struct {
	bits uint64
	word uint32
}

// span is a range of marks.
type span struct{ lo, hi uint32 }

// region is a range of numbers of the set, in words of the summary.
type region struct{ lo, hi int }

// Regions of the pending set.
const (
	operations = iota
	registers
	memories
	assertions
	watches
	numRegions
)

// regionBits is what a region's first number is a multiple of.
const regionBits = 64 * 64

// first is the number of the first member of the region.
func (r region) first() int { return r.lo * regionBits }

func (p *set) add(m mark) {
	p.words[m.word] |= m.bits
	p.top[m.word>>6] |= 1 << (m.word & 63)
}

func (p *set) addOne(i int) { p.add(mark{1 << (i & 63), uint32(i >> 6)}) }

// each calls f for each member of the region, in order, and removes those for
// which it returns false.
func (p *set) each(r region, f func(i int) (keep bool)) {
	for t := r.lo; t < r.hi; t++ {
		for m := p.top[t]; m != 0; m &= m - 1 {
			w := t<<6 | bits.TrailingZeros64(m)
			for x := p.words[w]; x != 0; x &= x - 1 {
				b := bits.TrailingZeros64(x)
				if !f(w<<6 | b - r.first()) {
					p.words[w] &^= 1 << b
				}
			}
			if p.words[w] == 0 {
				p.top[t] &^= 1 << (w & 63)
			}
		}
	}
}

// markAll makes pending what a change of a net concerns.
func (s *Sim) markAll(f span) {
	for _, m := range s.marks[f.lo:f.hi] {
		s.pending.add(m)
	}
	s.dirty = true
}
