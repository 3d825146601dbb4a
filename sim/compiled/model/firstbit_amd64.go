//go:build !amd64.v3

package model

// FirstBit is the number of the least significant bit that is set in x, which is not 0.
// The instruction that the first amd64 processors have for it takes several cycles on
// many: a multiplication by a de Bruijn sequence brings the number to the high bits.
func FirstBit(x uint64) int { return int(firstBits[x&-x*sequence>>58]) }

// sequence has each number of six bits as a part.
const sequence = 0x03f79d71b4ca8b09

// firstBits are the bits by the parts of the sequence that they shift to the top.
var firstBits = func() (t [64]uint8) {
	for i := range t {
		t[uint64(sequence)<<i>>58] = uint8(i)
	}
	return t
}()
