package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// ElemBits is the size of the smallest words that hold elements of a width, or of their
// words.
func ElemBits(width int) int {
	for _, size := range []int{8, 16, 32} {
		if width <= size {
			return size
		}
	}
	return 64
}

// BitWords is the number of words that hold the lanes of a one-bit value.
func (v *Value) BitWords() int { return ir.Words(v.Lanes) }

// Bounded tells whether all numbers of a width are below n.
func Bounded(width, n int) bool { return width < 62 && 1<<width <= n }

// Ones is a word with the lowest width bits set.
func Ones(width int) uint64 { return ^uint64(0) >> (64 - width) }

// LaneBits is the size of a lane of v in memory, 8 to 64 bits, where lanes
// follow each other; 0 for others.
func (v *Value) LaneBits() int {
	if v.Lanes == 1 || v.Width == 1 || v.Width > 64 {
		return 0
	}
	return max(ElemBits(v.Width), v.Room)
}

// Stride is the number of bits from a lane of v to the next in memory; 0 for a single one.
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

// Across tells whether the same words of all lanes of m are together, not those of a lane: a line of the
// cache has few words so long, and lanes often use the same address.
func (m *Memory) Across() bool { return m.Width > 32 && m.Lanes > 1 && !m.Copied }

// Steps are the numbers of words of m from a word of a lane to its next one, and from a lane to the next.
func (m *Memory) Steps() (word, lane int) {
	if m.Across() {
		return m.Lanes, 1
	}
	return 1, m.Room + m.Gap()
}

// Gap is the number of words that no address reaches behind each lane, so that lanes
// begin an odd number of lines apart: the same words of all of them then do not
// meet in few sets of the cache. Lanes longer than a page gained nothing but in copies.
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
