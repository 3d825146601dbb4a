package fp32test

import (
	"math"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/lib/fp32"
)

// Sum returns a + b as computed by the host, with the units' NaN for NaN results.
func Sum(a, b uint32) uint32 {
	return canonical(math.Float32frombits(a) + math.Float32frombits(b))
}

// Product returns a * b as computed by the host, with the units' NaN for NaN results.
func Product(a, b uint32) uint32 {
	return canonical(math.Float32frombits(a) * math.Float32frombits(b))
}

func canonical(y float32) uint32 {
	if y != y {
		return fp32.QuietNaN
	}
	return math.Float32bits(y)
}

// Special returns numbers at the limits of the format, with both signs of each.
func Special() []uint32 {
	var out []uint32
	for _, x := range []uint32{
		0, 1, 2, 3, 0x00400000, 0x007ffffe, 0x007fffff, // zero, subnormals
		0x00800000, 0x00800001, 0x00ffffff, 0x01000000, 0x01800000, // smallest normals
		0x0c000000, 0x33800000, 0x33800001, 0x34000000, 0x34000001, // half an ulp of 1 and around
		0x3effffff, 0x3f000000, 0x3f000001, 0x3f7ffffe, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3f800002, 0x3fc00000,
		0x40000000, 0x40400000, 0x4b000000, 0x4b000001, 0x4b7fffff, 0x4b800000, 0x4b800001, 0x4c000000, // 2^23, 2^24
		0x72800000, 0x73000000, 0x7e800000, 0x7effffff, 0x7f000000, 0x7f000001, 0x7f7ffffe, 0x7f7fffff, // half an ulp of the largest, the largest
		0x7f800000, 0x7f800001, 0x7fbfffff, 0x7fc00000, 0x7fffffff, // infinity, NaNs
	} {
		out = append(out, x, x|1<<31)
	}
	return out
}

// AllPairs returns all pairs of xs.
func AllPairs(xs []uint32) [][2]uint32 {
	var out [][2]uint32
	for _, a := range xs {
		for _, b := range xs {
			out = append(out, [2]uint32{a, b})
		}
	}
	return out
}

// Draw samples a pair of operands.
type Draw func(*rand.Rand) (a, b uint32)

// BitPatterns samples uniformly from all pairs of 32-bit patterns.
func BitPatterns(r *rand.Rand) (a, b uint32) { return r.Uint32(), r.Uint32() }

// Nearby samples numbers with similar exponents: cancellation, alignment, halfway cases.
func Nearby(r *rand.Rand) (a, b uint32) {
	e := r.IntN(256)
	a, b = float(r, e), float(r, e+r.IntN(61)-30)
	if r.IntN(4) == 0 { // equal up to the last bits and the sign
		b = a ^ 1<<31 ^ r.Uint32N(8)
	}
	return a, b
}

// SmallProducts samples factors whose product is around the smallest normal or the smallest
// subnormal number.
func SmallProducts(r *rand.Rand) (a, b uint32) {
	e := r.IntN(150)
	return float(r, e), float(r, 127-e+r.IntN(32)-28)
}

// LargeProducts samples factors whose product is around the largest number.
func LargeProducts(r *rand.Rand) (a, b uint32) {
	e := 130 + r.IntN(125)
	return float(r, e), float(r, 254+127-e+r.IntN(5)-2)
}

// float returns a number with the given biased exponent, a random sign, and a fraction with few or
// many set bits.
func float(r *rand.Rand, exp int) uint32 {
	frac := r.Uint32()
	switch r.IntN(4) {
	case 0:
		frac = 1 << r.IntN(23)
	case 1:
		frac = -(1 << r.IntN(23))
	case 2:
		frac &= r.Uint32() & r.Uint32()
	}
	return r.Uint32()&(1<<31) | uint32(min(max(exp, 0), 255))<<23 | frac&(1<<23-1)
}
