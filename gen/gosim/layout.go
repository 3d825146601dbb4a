package gosim

import "github.com/hotline-rtl/hotline/hw/ir"

// elemBits is the size of the smallest words that hold elements of a width, or of their
// words.
func elemBits(width int) int {
	for _, size := range []int{8, 16, 32} {
		if width <= size {
			return size
		}
	}
	return 64
}

// bitWords is the number of words that hold the lanes of a one-bit value.
func (v *value) bitWords() int { return ir.Words(v.lanes) }

// bounded tells whether all numbers of a width are below n.
func bounded(width, n int) bool { return width < 62 && 1<<width <= n }

// ones is a word with the lowest width bits set.
func ones(width int) uint64 { return ^uint64(0) >> (64 - width) }

// laneBits is the size of a lane of v in memory, 8 to 64 bits, where lanes
// follow each other; 0 for others.
func (v *value) laneBits() int {
	if v.lanes == 1 || v.width == 1 || v.width > 64 {
		return 0
	}
	return max(elemBits(v.width), v.room)
}

// line and page are sizes of a processor's cache lines and pages in bytes.
const line, page = 64, 4096

// gap is the number of words that no address reaches behind each lane, so that lanes
// begin an odd number of lines apart: the same words of all of them then do not
// meet in few sets of the cache. Lanes longer than a page gained nothing.
func (m *memory) gap() (words int) {
	size := elemBits(m.width) / 8 * ir.Words(m.width)
	if lane := m.room * size; m.lanes == 1 || lane < line || lane > page {
		return 0
	}
	for (m.room+words)*size/line%2 == 0 {
		words++
	}
	return words
}
