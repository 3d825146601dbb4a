package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// ElemBits returns the size in bits of the smallest word that holds elements of a width: 8, 16, 32,
// or 64 for wider elements.
func ElemBits(width int) int {
	for _, size := range []int{8, 16, 32} {
		if width <= size {
			return size
		}
	}
	return 64
}

// BitWords returns the number of words that hold the lanes of a one-bit value.
func (v *Value) BitWords() int { return ir.Words(v.Lanes) }

// Bounded reports whether all numbers of a width are below n.
func Bounded(width, n int) bool { return width < 62 && 1<<width <= n }

// Ones returns a word with the lowest width bits set.
func Ones(width int) uint64 { return ^uint64(0) >> (64 - width) }

// LaneBits returns the size in bits of a lane of v in memory, 8 to 64. It returns 0 if v has one
// lane, one-bit lanes, or lanes of several words.
func (v *Value) LaneBits() int {
	if v.Lanes == 1 || v.Width == 1 || v.Width > 64 {
		return 0
	}
	return max(ElemBits(v.Width), v.Room)
}

// Stride returns the number of bits from a lane of v to the next lane in memory, or 0 if v has a
// single lane.
func (v *Value) Stride() int {
	switch {
	case v.Lanes == 1:
		return 0
	case v.Bits():
		return 1
	case v.Width > 64:
		return 64 * v.Words()
	}
	return v.LaneBits()
}

// line and page are sizes of a processor's cache lines and pages in bytes.
const line, page = 64, 4096

// Across reports whether the words with the same address of all lanes of m are contiguous, instead
// of the words of a lane. A cache line holds few words that long, and lanes often use the same
// address.
func (m *Memory) Across() bool { return m.Width > 32 && m.Lanes > 1 && !m.Copied }

// Steps returns the distances in words of m from a word of a lane to its next word, and from a lane
// to the next lane.
func (m *Memory) Steps() (word, lane int) {
	if m.Across() {
		return m.Lanes, 1
	}
	return 1, m.Room + m.Gap()
}

// Gap returns the number of unused words after each lane. The gap makes lanes begin an odd number
// of cache lines apart, so that the same words of all lanes do not map to a few sets of the cache.
// Lanes longer than a page gained nothing from it, except in batches of instances.
func (m *Memory) Gap() (words int) {
	size := ElemBits(m.Width) / 8 * ir.Words(m.Width)
	if lane := m.Room * size; m.Lanes == 1 || m.Across() || lane < line || lane > page && !m.Copied {
		return 0
	}
	for (m.Room+words)*size/line%2 == 0 {
		words++
	}
	return words
}
