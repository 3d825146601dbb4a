package exact

import (
	"math"
	"math/bits"
)

// wide is a vector of integers in two's complement, in units of Grid. A product of two float32
// values is below 2^304 units, so that 2^79 of them fit.
type wide []uint64

// wideWords is the number of words of an integer, least significant first.
const wideWords = 6

func newWide(n int) wide { return make(wide, n*wideWords) }

func (w wide) at(i int) *[wideWords]uint64 { return (*[wideWords]uint64)(w[i*wideWords:]) }

// addUnits adds n to integer i.
func (w wide) addUnits(i int, n int64) {
	sign := uint64(n >> 63)
	addTo(w.at(i), &[wideWords]uint64{uint64(n), sign, sign, sign, sign, sign})
}

func (w wide) merge(o wide) {
	for i := 0; i*wideWords < len(w); i++ {
		addTo(w.at(i), o.at(i))
	}
}

func addTo(a, b *[wideWords]uint64) {
	carry := uint64(0)
	for k := range a {
		a[k], carry = bits.Add64(a[k], b[k], carry)
	}
}

// factor is a finite float32: m*2^e with a sign, where m has 53 bits or is zero.
type factor struct {
	m        uint64
	e        int
	negative bool
}

func split(v float32) factor {
	f, e := math.Frexp(float64(v))
	return factor{uint64(max(f, -f) * 0x1p53), e - 53, v < 0}
}

// addProduct adds y*x to integer i, like an accumulator. It sets the last bit of y as a float64 and
// rounds the product to the nearest integer. It rounds halves away from zero; within the range of
// the accumulators no product is a half.
func (w wide) addProduct(i int, y, x factor) {
	if y.m == 0 || x.m == 0 {
		return
	}
	hi, lo := bits.Mul64(y.m|1, x.m)
	up := y.e + x.e + gridBits
	if up < 0 {
		hi, lo = roundRight(hi, lo, uint(-up))
		up = 0
	}
	k, rest := up/64, up%64
	// A negative product is added as its complement plus one, with ones in all higher words. Where
	// a carry meets those ones, nothing changes.
	sign := uint64(0)
	if y.negative != x.negative {
		sign = math.MaxUint64
	}
	a, carry := w.at(i)[k:], sign&1
	a[0], carry = bits.Add64(a[0], lo<<rest^sign, carry)
	a[1], carry = bits.Add64(a[1], (hi<<rest|lo>>(64-rest))^sign, carry)
	a[2], carry = bits.Add64(a[2], hi>>(64-rest)^sign, carry)
	for k := 3; k < len(a) && carry != sign&1; k++ {
		a[k], carry = bits.Add64(a[k], sign, carry)
	}
}

// roundRight divides a 106-bit number by 2^by, with by at least 1, and rounds to the nearest
// integer.
func roundRight(hi, lo uint64, by uint) (uint64, uint64) {
	var carry uint64
	switch {
	case by > 106:
		return 0, 0
	case by > 64:
		return 0, (hi + 1<<(by-65)) >> (by - 64)
	}
	lo, carry = bits.Add64(lo, 1<<(by-1), 0)
	hi += carry
	return hi >> by, lo>>by | hi<<(64-by)
}

func negate(v *[wideWords]uint64) {
	for k := range v {
		v[k] = ^v[k]
	}
	addTo(v, &[wideWords]uint64{1})
}

// round returns integer i in units of Grid, rounded once. It is infinite if it is beyond float32.
func (w wide) round(i int) float32 {
	v, sign := *w.at(i), 1.
	if int64(v[wideWords-1]) < 0 {
		negate(&v)
		sign = -1
	}
	top := wideWords - 1
	for top > 0 && v[top] == 0 {
		top--
	}
	n := bits.LeadingZeros64(v[top])
	if n == 64 {
		return 0
	}
	leading, rest := v[top]<<n, uint64(0)
	if top > 0 {
		leading |= v[top-1] >> (64 - n)
		rest = v[top-1] << n
	}
	for _, word := range v[:max(0, top-1)] {
		rest |= word
	}
	// The last of 52 bits is a sticky bit for all following bits, so that the rounding to float32
	// is correct.
	m := leading >> 12
	if leading<<52 != 0 || rest != 0 {
		m |= 1
	}
	return float32(sign * math.Ldexp(float64(m), 64*top-n+12-gridBits))
}
