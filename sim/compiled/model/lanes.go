package model

import "unsafe"

// Word returns word i of an array of bytes, half-words or words. The order of lanes in a word is
// irrelevant as long as all arrays use the same order.
func Word(array unsafe.Pointer, i int) *uint64 { return (*uint64)(unsafe.Add(array, 8*i)) }

// Spread8 fills byte k of a word with bit k of x, for x below 256.
func Spread8(x uint64) uint64 { return spread8[x&255] }

// Spread16 fills the 16-bit lane k of a word with bit k of x, for x below 16.
func Spread16(x uint64) uint64 { return spread16[x&15] }

// Spread32 fills the 32-bit lane k of a word with bit k of x, for x below 4.
func Spread32(x uint64) uint64 { return -(x&1)>>32 | -(x>>1&1)<<32 }

// Collect8 collects the most significant bits of bytes, the inverse of Spread8. All other bits must
// be zero.
func Collect8(x uint64) uint64 { return x * 0x0002040810204081 >> 56 }

// Collect16 works like Collect8 for 16-bit lanes.
func Collect16(x uint64) uint64 { return x * 0x0000200040008001 >> 60 }

// Collect32 works like Collect8 for 32-bit lanes.
func Collect32(x uint64) uint64 { return x>>31&1 | x>>62 }

// Bits packs at most 64 bools into a word, the first in the least significant bit.
func Bits(bools []bool) (x uint64) {
	whole := len(bools) &^ 7
	for i := 0; i < whole; i += 8 {
		x |= *(*uint64)(unsafe.Pointer(&bools[i])) * 0x0102040810204080 >> 56 << i
	}
	for i, b := range bools[whole:] {
		if b {
			x |= 1 << (whole + i)
		}
	}
	return x
}

// SetBools unpacks x into bools, the inverse of Bits.
func SetBools(bools []bool, x uint64) {
	whole := len(bools) &^ 7
	for i := 0; i < whole; i += 8 {
		ones := x >> i & 255 * 0x0101010101010101 & 0x8040201008040201 // bit k in byte k
		*(*uint64)(unsafe.Pointer(&bools[i])) = (ones + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101
	}
	for i := range bools[whole:] {
		bools[whole+i] = x>>(whole+i)&1 != 0
	}
}

var spread8, spread16 = spreads[[256]uint64](8), spreads[[16]uint64](16)

// spreads returns a table of spreads over lanes of size bits.
func spreads[T [256]uint64 | [16]uint64](size int) (t T) {
	for x := range len(t) {
		for k := range 64 / size {
			if x>>k&1 != 0 {
				t[x] |= (1<<size - 1) << (k * size)
			}
		}
	}
	return t
}
