package regmap

import (
	"fmt"
	"strings"
)

// WordBits and WordBytes are the size of a word, the unit of software accesses.
const (
	WordBits  = 32
	WordBytes = WordBits / 8
)

// Map describes the registers of a device.
type Map struct {
	Name       string // lower-case words joined by underscores
	Doc        string
	WholeWords bool // partial writes of words are rejected
	Registers  []Register

	layout string // of the struct
}

// Register is a register, or an array of Count equal registers.
type Register struct {
	Name   string // for example sq_tail
	GoName string // for example SQTail
	Doc    string
	Offset int // in bytes
	Words  int // 1 or 2
	Count  int // 0 if not an array
	Fields []Field
}

// Field is bits High down to Low of a register.
type Field struct {
	Name   string // "" if the field is the whole register
	GoName string
	Doc    string
	Access Access
	High   int
	Low    int
	Reset  uint64

	path []int // in the struct, without the index of an array
}

// Option changes a Map.
type Option func(*Map)

// WholeWords rejects writes without all four byte strobes.
func WholeWords(m *Map) { m.WholeWords = true }

// Bits returns the number of bits.
func (f Field) Bits() int { return f.High - f.Low + 1 }

// mask returns a mask with ones at the bits of f.
func (f Field) mask() uint64 { return (1<<f.Bits() - 1) << f.Low }

// Part returns the bits of f in a word of its register: high and low, numbered from the lowest bit
// of the word, and the bit of f at low. ok reports whether the word contains bits of f.
func (f Field) Part(word int) (high, low, from int, ok bool) {
	base := word * WordBits
	high, low = min(f.High-base, WordBits-1), max(f.Low-base, 0)
	return high, low, base + low - f.Low, high >= low
}

// Elements returns the number of registers, 1 if r is not an array.
func (r Register) Elements() int { return max(r.Count, 1) }

// At returns the byte offset of a word of an element.
func (r Register) At(element, word int) int {
	return r.Offset + WordBytes*(element*r.Words+word)
}

// WordName returns the name of a word of an element, for example base[2], total_lo or ring_hi[1].
func (r Register) WordName(element, word int) string {
	if r.Count > 0 {
		return fmt.Sprintf("%s[%d]", r.wordName(word), element)
	}
	return r.wordName(word)
}

// wordName returns the name of a word without the element.
func (r Register) wordName(word int) string {
	if r.Words == 2 {
		return r.Name + [2]string{"_lo", "_hi"}[word]
	}
	return r.Name
}

// Held reports whether a read of the low word holds the high word for the next read.
func (r Register) Held() bool {
	for _, f := range r.Fields {
		if r.Words == 2 && f.Access.live() {
			return true
		}
	}
	return false
}

// Reads reports whether a word can be read.
func (r Register) Reads(word int) bool { return r.any(word, Access.Reads) }

// Writes reports whether a word can be written.
func (r Register) Writes(word int) bool { return r.any(word, Access.Writes) }

func (r Register) any(word int, does func(Access) bool) bool {
	for _, f := range r.Fields {
		if _, _, _, ok := f.Part(word); ok && does(f.Access) {
			return true
		}
	}
	return false
}

// signal returns the unique name of a field, for example control_reset or base_2.
func signal(r Register, f Field, element int) string {
	parts := []string{r.Name}
	if r.Count > 0 {
		parts = append(parts, fmt.Sprint(element))
	}
	if f.Name != "" {
		parts = append(parts, f.Name)
	}
	return strings.Join(parts, "_")
}

// End returns the first offset after all registers.
func (m *Map) End() (end int) {
	for _, r := range m.Registers {
		end = max(end, r.At(r.Elements(), 0))
	}
	return end
}

// Stored returns, by the offset of their word, masks of the bits that store values written by
// software. Words without such bits are omitted.
func (m *Map) Stored() map[uint64]uint32 {
	masks := map[uint64]uint32{}
	for _, p := range m.Places() {
		for w := range p.Register.Words {
			if high, low, _, ok := p.Field.Part(w); ok && (p.Field.Access == ReadWrite || p.Field.Access == WriteOnly) {
				masks[uint64(p.Register.At(p.Element, w))] |= uint32(Field{High: high, Low: low}.mask())
			}
		}
	}
	return masks
}

// find returns the register, the element and the word at an offset.
func (m *Map) find(offset uint64) (r Register, element, word int, ok bool) {
	for _, r := range m.Registers {
		if i := int(offset) - r.Offset; offset%WordBytes == 0 && i >= 0 && offset < uint64(r.At(r.Elements(), 0)) {
			i /= WordBytes
			return r, i / r.Words, i % r.Words, true
		}
	}
	return Register{}, 0, 0, false
}
