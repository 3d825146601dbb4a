package sim

import (
	"hash/fnv"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// Writable is an engine whose state can be set.
type Writable interface {
	// State lists registers and memories.
	State() []State
	// Write gives State()[i], or the given word of it if it is a memory, a
	// value: little-endian words, bits beyond the width zero.
	Write(i, word int, value []uint64)
}

// PowerUp gives all registers and memory words of s values that look random, as
// hardware has them when it is switched on; memories with contents keep these. The value of a register or word
// depends on seed, its path and its number in the memory only, so that all
// engines of a design begin in the same state if they have the same seed.
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

// mix is the step of SplitMix64: neighbouring numbers give unrelated ones.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
