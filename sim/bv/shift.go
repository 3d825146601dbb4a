package bv

import "math/bits"

// Bit reports whether bit i is set.
func Bit(a []uint64, i int) bool { return a[i>>6]>>(i&63)&1 != 0 }

// SetBit sets bit i.
func SetBit(a []uint64, i int) { a[i>>6] |= 1 << (i & 63) }

// Index returns the value of a and true if the value is less than limit.
func Index(a []uint64, limit int) (int, bool) {
	if a[0] >= uint64(limit) || !IsZero(a[1:]) {
		return 0, false
	}
	return int(a[0]), true
}

// Word returns 64 bits of a starting at bit lo, with zeros beyond the end.
func Word(a []uint64, lo int) uint64 {
	i, s := lo>>6, lo&63
	if i >= len(a) {
		return 0
	}
	x := a[i] >> s
	if s != 0 && i+1 < len(a) {
		x |= a[i+1] << (64 - s)
	}
	return x
}

// Slice sets dst to width bits of a starting at bit lo. dst may be a.
func Slice(dst, a []uint64, lo, width int) {
	for i := range dst {
		dst[i] = Word(a, lo+64*i)
	}
	Mask(dst, width)
}

// Insert ORs the width bits of a into dst at bit lo. These bits of dst must be zero before; dst
// must not be a.
func Insert(dst []uint64, lo int, a []uint64, width int) {
	i, s := lo>>6, lo&63
	for k := range (width + 63) / 64 {
		dst[i+k] |= a[k] << s
		if s != 0 && i+k+1 < len(dst) {
			dst[i+k+1] |= a[k] >> (64 - s)
		}
	}
}

// Shl sets dst to a << n, of width bits; zero if n >= width.
func Shl(dst, a []uint64, n, width int) {
	if n >= width {
		clear(dst)
		return
	}
	i, s := n>>6, n&63
	for k := len(dst) - 1; k >= 0; k-- {
		var x uint64
		if k >= i {
			x = a[k-i] << s
			if s != 0 && k > i {
				x |= a[k-i-1] >> (64 - s)
			}
		}
		dst[k] = x
	}
	Mask(dst, width)
}

// ShrU sets dst to a >> n, filled with zeros.
func ShrU(dst, a []uint64, n int) {
	for k := range dst {
		dst[k] = Word(a, n+64*k)
	}
}

// ShrS sets dst to a >> n, filled with the sign bit, bit width-1.
func ShrS(dst, a []uint64, n, width int) {
	negative := Bit(a, width-1)
	n = min(n, width)
	ShrU(dst, a, n)
	if negative {
		ones(dst, width-n, width)
	}
}

// ones sets the bits lo..hi-1.
func ones(dst []uint64, lo, hi int) {
	for i := lo; i < hi; {
		if i&63 == 0 && hi-i >= 64 {
			dst[i>>6] = ^uint64(0)
			i += 64
			continue
		}
		SetBit(dst, i)
		i++
	}
}

// SExt sets dst to a, sign-extended from from bits to width bits.
func SExt(dst, a []uint64, from, width int) {
	ZExt(dst, a)
	if Bit(a, from-1) {
		ones(dst, from, width)
	}
}

// ZExt sets dst to a, zero-extended.
func ZExt(dst, a []uint64) {
	n := copy(dst, a)
	clear(dst[n:])
}

// Lowest sets dst to the lowest set bit of a.
func Lowest(dst, a []uint64) {
	found := false
	for i, x := range a {
		dst[i] = 0
		if x != 0 && !found {
			found = true
			dst[i] = x & -x
		}
	}
}

// Encode returns the bitwise OR of the indices of the set bits.
func Encode(a []uint64) uint64 {
	var out uint64
	for i, x := range a {
		for ; x != 0; x &= x - 1 {
			out |= uint64(64*i + bits.TrailingZeros64(x))
		}
	}
	return out
}
