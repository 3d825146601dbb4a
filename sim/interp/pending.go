package interp

import "math/bits"

// set is a bit set with a summary: if words[w] is not zero, bit w of top is set. Members are
// grouped in regions, which can be scanned separately.
type set struct{ words, top []uint64 }

// mark is a group of bits in one word of a set.
type mark struct {
	bits uint64
	word uint32
}

// span is a range of marks.
type span struct{ lo, hi uint32 }

// region is a range of set members, in words of the summary.
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

// regionBits is the alignment of a region's first member.
const regionBits = 64 * 64

// first returns the first member of the region.
func (r region) first() int { return r.lo * regionBits }

func (p *set) add(m mark) {
	p.words[m.word] |= m.bits
	p.top[m.word>>6] |= 1 << (m.word & 63)
}

func (p *set) addOne(i int) { p.add(mark{1 << (i & 63), uint32(i >> 6)}) }

// each calls f for each member of the region in ascending order. It removes the members for which f
// returns false.
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

// markAll adds marks to the pending set.
func (s *Sim) markAll(f span) {
	for _, m := range s.marks[f.lo:f.hi] {
		s.pending.add(m)
	}
	s.dirty = true
}
