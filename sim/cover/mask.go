package cover

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"
)

// Mask is a set of bits in little-endian words. Its text form is a hexadecimal number with 16
// digits per word.
type Mask []uint64

// Count returns the number of bits in m.
func (m Mask) Count() (n int) {
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}

// has reports whether a bit is in m.
func (m Mask) has(bit int) bool { return m[bit/64]>>(bit%64)&1 == 1 }

// add adds the bits of a mask of the same length.
func (m Mask) add(o Mask) {
	for i, w := range o {
		m[i] |= w
	}
}

// MarshalText implements encoding.TextMarshaler.
func (m Mask) MarshalText() ([]byte, error) {
	var s strings.Builder
	for i := len(m) - 1; i >= 0; i-- {
		fmt.Fprintf(&s, "%016x", m[i])
	}
	return []byte(s.String()), nil
}

// UnmarshalText implements encoding.TextUnmarshaler.
func (m *Mask) UnmarshalText(text []byte) error {
	if len(text)%16 != 0 {
		return fmt.Errorf("%q has %d digits, expected 16 for each 64 bits", text, len(text))
	}
	*m = make(Mask, len(text)/16)
	for i := range *m {
		w, err := strconv.ParseUint(string(text[len(text)-16*(i+1):][:16]), 16, 64)
		if err != nil {
			return fmt.Errorf("%q is not a hexadecimal number", text)
		}
		(*m)[i] = w
	}
	return nil
}
