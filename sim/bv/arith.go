package bv

import "math/bits"

// Mask clears the bits of x at positions width and above.
func Mask(x []uint64, width int) {
	if r := width & 63; r != 0 {
		x[len(x)-1] &= 1<<r - 1
	}
}

// Not sets dst to the complement of a, of width bits.
func Not(dst, a []uint64, width int) {
	for i := range dst {
		dst[i] = ^a[i]
	}
	Mask(dst, width)
}

// And sets dst to a AND b.
func And(dst, a, b []uint64) {
	for i := range dst {
		dst[i] = a[i] & b[i]
	}
}

// Or sets dst to a OR b.
func Or(dst, a, b []uint64) {
	for i := range dst {
		dst[i] = a[i] | b[i]
	}
}

// Xor sets dst to a XOR b.
func Xor(dst, a, b []uint64) {
	for i := range dst {
		dst[i] = a[i] ^ b[i]
	}
}

// Add sets dst to a+b modulo 2^width.
func Add(dst, a, b []uint64, width int) {
	var carry uint64
	for i := range dst {
		dst[i], carry = bits.Add64(a[i], b[i], carry)
	}
	Mask(dst, width)
}

// Sub sets dst to a-b modulo 2^width.
func Sub(dst, a, b []uint64, width int) {
	var borrow uint64
	for i := range dst {
		dst[i], borrow = bits.Sub64(a[i], b[i], borrow)
	}
	Mask(dst, width)
}

// Mul sets dst to a*b modulo 2^width; dst must not be an operand.
func Mul(dst, a, b []uint64, width int) {
	clear(dst)
	for i, x := range a {
		var carry uint64
		for j := range dst[i:] {
			hi, lo := bits.Mul64(x, b[j])
			var c uint64
			lo, c = bits.Add64(lo, dst[i+j], 0)
			hi += c
			lo, c = bits.Add64(lo, carry, 0)
			dst[i+j], carry = lo, hi+c
		}
	}
	Mask(dst, width)
}

// DivMod sets q to the quotient of a and b and r to the remainder. If b is 0, q is all ones and r
// is a. Neither q nor r may be an operand.
func DivMod(q, r, a, b []uint64, width int) {
	clear(q)
	clear(r)
	for i := width - 1; i >= 0; i-- {
		for k := len(r) - 1; k > 0; k-- {
			r[k] = r[k]<<1 | r[k-1]>>63
		}
		r[0] = r[0]<<1 | a[i/64]>>(i%64)&1
		if !LtU(r, b) {
			Sub(r, r, b, width)
			q[i/64] |= 1 << (i % 64)
		}
	}
}

// Equal reports whether a and b, of equal width, are equal.
func Equal(a, b []uint64) bool {
	for i, x := range a {
		if x != b[i] {
			return false
		}
	}
	return true
}

// IsZero reports whether no bit is set.
func IsZero(a []uint64) bool {
	for _, x := range a {
		if x != 0 {
			return false
		}
	}
	return true
}

// AllOnes reports whether all width bits are set.
func AllOnes(a []uint64, width int) bool { return PopCount(a) == width }

// PopCount returns the number of set bits.
func PopCount(a []uint64) int {
	n := 0
	for _, x := range a {
		n += bits.OnesCount64(x)
	}
	return n
}

// LtU reports whether a < b as unsigned numbers of equal width.
func LtU(a, b []uint64) bool {
	for i := len(a) - 1; i >= 0; i-- {
		if a[i] != b[i] {
			return a[i] < b[i]
		}
	}
	return false
}

// LtS reports whether a < b as two's-complement numbers of width bits.
func LtS(a, b []uint64, width int) bool {
	if x, y := Bit(a, width-1), Bit(b, width-1); x != y {
		return x
	}
	return LtU(a, b)
}
