package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// elemType is the smallest type for elements of a width, or for their words.
func elemType(width int) string { return fmt.Sprintf("uint%d", elemBits(width)) }

// elemBits is the size of elemType.
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

// goType is the type of v's storage.
func (v *value) goType() string {
	switch {
	case v.bits() && v.lanes <= 64:
		return "uint64"
	case v.bits():
		return fmt.Sprintf("[%d]uint64", v.bitWords())
	case v.width > 64 && v.lanes == 1:
		return fmt.Sprintf("[%d]uint64", v.words())
	case v.width > 64:
		return fmt.Sprintf("[%d][%d]uint64", v.lanes, v.words())
	case v.lanes == 1:
		return "uint64"
	}
	return fmt.Sprintf("[%d]%s", v.lanes, v.laneType())
}

// laneType is the type of a lane of one of several, of at most 64 bits.
func (v *value) laneType() string { return fmt.Sprintf("uint%d", max(elemBits(v.width), v.room)) }

func (v *value) field() string {
	switch {
	case v.port != "":
		return v.portField()
	case v.of == nil:
		return fmt.Sprintf("s.v%d", v.id)
	case v.of.lanes == 1:
		return v.of.field()
	case v.lanes <= 64:
		return fmt.Sprintf("(*(*uint64)(unsafe.Pointer(&%s)))", v.of.field())
	}
	return fmt.Sprintf("(*[%d]uint64)(unsafe.Pointer(&%s))", v.bitWords(), v.of.field())
}

// bitWord is word w of the lanes of a one-bit value.
func (v *value) bitWord(w int) string {
	if v.lanes <= 64 {
		return v.field()
	}
	return fmt.Sprintf("%s[%d]", v.field(), w)
}

// lane are the words of lane i of v, i being a Go expression; known is its
// value if it is a number, else -1.
func (v *value) lane(i string, known int) []string {
	switch {
	case v.bits() && v.lanes <= 64:
		if known >= 0 {
			return []string{fmt.Sprintf("(%s>>%d&1)", v.field(), known)}
		}
		return []string{fmt.Sprintf("(%s>>(uint(%s)&63)&1)", v.field(), i)}
	case v.bits():
		if known >= 0 {
			return []string{fmt.Sprintf("(%s[%d]>>%d&1)", v.field(), known/64, known%64)}
		}
		return []string{fmt.Sprintf("(%s[uint(%s)/64%s]>>(uint(%s)&63)&1)", v.field(), i, maskIndex(v.bitWords()), i)}
	case v.width > 64:
		out := make([]string, v.words())
		for k := range out {
			if v.lanes == 1 {
				out[k] = fmt.Sprintf("%s[%d]", v.field(), k)
			} else {
				out[k] = fmt.Sprintf("%s[%s][%d]", v.field(), index(i, known, v.lanes), k)
			}
		}
		return out
	case v.lanes == 1:
		return []string{v.field()}
	}
	return []string{fmt.Sprintf("uint64(%s[%s])", v.field(), index(i, known, v.lanes))}
}

// index is i as an index of an array of n; masked where that spares a check.
func index(i string, known, n int) string {
	if known >= 0 {
		return fmt.Sprint(known)
	}
	if n&(n-1) == 0 {
		return fmt.Sprintf("(%s)&%d", i, n-1)
	}
	return i
}

func maskIndex(n int) string {
	if n&(n-1) == 0 {
		return fmt.Sprintf("&%d", n-1)
	}
	return ""
}

func ones(width int) uint64 { return ^uint64(0) >> (64 - width) }

func hex(x uint64) string {
	if x < 10 {
		return fmt.Sprint(x)
	}
	return fmt.Sprintf("%#x", x)
}

func constWords(k []uint64, width int) []string {
	out := make([]string, ir.Words(width))
	for i := range out {
		out[i] = hex(k[i])
	}
	return out
}

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

func (m *memory) goType() string {
	t := elemType(m.width)
	if m.width > 64 {
		t = fmt.Sprintf("[%d]uint64", ir.Words(m.width))
	}
	t = fmt.Sprintf("[%d]%s", m.room+m.gap(), t)
	if m.lanes > 1 {
		t = fmt.Sprintf("[%d]%s", m.lanes, t)
	}
	return t
}

func (m *memory) word(lane, at string) string {
	if m.lanes == 1 {
		return fmt.Sprintf("s.m%d[%s]", m.id, at)
	}
	return fmt.Sprintf("s.m%d[%s][%s]", m.id, index(lane, -1, m.lanes), at)
}

func memType(width int) string {
	if width > 64 {
		return "uint64"
	}
	return elemType(width)
}
