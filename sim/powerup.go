package sim

import (
	"hash/fnv"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// Writable is an engine with writable state.
type Writable interface {
	// State lists registers and memories.
	State() []State
	// Write sets State()[i], or the given word of it if it is a memory. The value consists of
	// little-endian words; bits beyond the width must be zero.
	Write(i, word int, value []uint64)
}

// PowerUp fills all registers and memory words of s with pseudo-random values, as in hardware after
// power-up. Memories with initial contents are unchanged. A value depends only on seed, the path
// and the word number. For the same seed, all engines of a design therefore start in the same
// state.
func PowerUp(s Writable, seed uint64) {
	var buf []uint64
	for i, x := range s.State() {
		if x.Fixed {
			continue
		}
		path := fnv.New64a()
		path.Write([]byte(x.Path))
		stream := mix(seed ^ path.Sum64())
		n := ir.Words(x.Width)
		for word := range max(1, x.Depth) {
			buf = buf[:0]
			for k := range n {
				buf = append(buf, mix(stream+uint64(word*n+k)))
			}
			bv.Mask(buf, x.Width)
			s.Write(i, word, buf)
		}
	}
}

// mix applies the output function of SplitMix64: consecutive inputs give uncorrelated results.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
