//go:build !amd64.v3

package model

// FirstBit returns the index of the least significant set bit of x, which must not be 0. The
// instruction for this in the amd64 baseline takes several cycles on many processors. A
// multiplication by a de Bruijn sequence moves the index to the high bits instead.
func FirstBit(x uint64) int { return int(firstBits[x&-x*sequence>>58]) }

// sequence is a de Bruijn sequence: it contains each six-bit number as a substring.
const sequence = 0x03f79d71b4ca8b09

// firstBits maps six bits at the top of the shifted sequence to the shift.
var firstBits = func() (t [64]uint8) {
	for i := range t {
		t[uint64(sequence)<<i>>58] = uint8(i)
	}
	return t
}()
