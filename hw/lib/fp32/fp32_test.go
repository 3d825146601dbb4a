package fp32_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
	"github.com/hotline-rtl/hotline/hw/lib/fp32"
)

type unit struct {
	gen   hw.Generator[fp32.Ports]
	model func(a, b float32) float32
}

var (
	adder      = unit{fp32.Add{}, func(a, b float32) float32 { return a + b }}
	multiplier = unit{fp32.Mul{}, func(a, b float32) float32 { return a * b }}
)

// want is what the unit must give: Go's result, or the canonical NaN.
func (u unit) want(a, b uint32) uint32 {
	y := u.model(math.Float32frombits(a), math.Float32frombits(b))
	if y != y {
		return fp32.QuietNaN
	}
	return math.Float32bits(y)
}

func (u unit) elaborate(t *testing.T) *ir.Design {
	d, err := hw.Elaborate(u.gen)
	require.NoError(t, err)
	return d
}

// check streams operand pairs through d, with garbage in the cycles between
// them if gaps is set, and compares each result and the cycle in which it comes.
func (u unit) check(d *ir.Design, pairs [][2]uint32, gaps bool) error {
	b, err := bench.New(d, 1)
	if err != nil {
		return err
	}
	valid, pinA, pinB := b.Pin("valid"), b.Pin("a"), b.Pin("b")
	yValid, y := b.Pin("y_valid"), b.Pin("y")
	under := make([]*[2]uint32, fp32.Latency) // the operands of the last cycles
	for n := 0; n < len(pairs)+fp32.Latency; {
		var now *[2]uint32
		if !gaps || b.Rand.IntN(3) > 0 {
			if n < len(pairs) {
				now = &pairs[n]
			}
			n++
		}
		valid.SetBool(now != nil)
		if now != nil {
			pinA.Set(uint64(now[0]))
			pinB.Set(uint64(now[1]))
		} else {
			pinA.Set(uint64(b.Rand.Uint32()))
			pinB.Set(uint64(b.Rand.Uint32()))
		}
		slot := &under[b.Sim.Cycle()%uint64(fp32.Latency)]
		due := *slot
		*slot = now
		if yValid.Bool() != (due != nil) {
			return fmt.Errorf("valid is %v in cycle %d", yValid.Bool(), b.Sim.Cycle())
		}
		if due != nil {
			if got, want := uint32(y.Get()), u.want(due[0], due[1]); got != want {
				return fmt.Errorf("%08x, %08x give %08x, want %08x", due[0], due[1], got, want)
			}
		}
		if err := b.Sim.Step(); err != nil {
			return err
		}
	}
	return nil
}

// special are numbers at the borders of the format, both signs of each.
func special() []uint32 {
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

func allPairs(xs []uint32) [][2]uint32 {
	var out [][2]uint32
	for _, a := range xs {
		for _, b := range xs {
			out = append(out, [2]uint32{a, b})
		}
	}
	return out
}

// float makes a number of the given biased exponent with a random sign and a
// fraction that has few or many bits.
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

// drawn gives n pairs from f.
func drawn(seed uint64, n int, f func(*rand.Rand) (a, b uint32)) [][2]uint32 {
	r := rand.New(rand.NewPCG(seed, 0))
	out := make([][2]uint32, n)
	for i := range out {
		out[i][0], out[i][1] = f(r)
	}
	return out
}

// bitPatterns are uniform over all pairs of 32 bits.
func bitPatterns(n int) [][2]uint32 {
	return drawn(1, n, func(r *rand.Rand) (a, b uint32) { return r.Uint32(), r.Uint32() })
}

// nearby have exponents close to each other: cancellation, alignment, halfway
// cases.
func nearby(n int) [][2]uint32 {
	return drawn(2, n, func(r *rand.Rand) (a, b uint32) {
		e := r.IntN(256)
		a, b = float(r, e), float(r, e+r.IntN(61)-30)
		if r.IntN(4) == 0 { // equal up to the last bits and the sign
			b = a ^ 1<<31 ^ r.Uint32N(8)
		}
		return a, b
	})
}

// smallProducts are factors whose product is around the smallest normal or the
// smallest subnormal number.
func smallProducts(n int) [][2]uint32 {
	return drawn(3, n, func(r *rand.Rand) (a, b uint32) {
		e := r.IntN(150)
		return float(r, e), float(r, 127-e+r.IntN(32)-28)
	})
}

// largeProducts are factors whose product is around the largest number.
func largeProducts(n int) [][2]uint32 {
	return drawn(4, n, func(r *rand.Rand) (a, b uint32) {
		e := 130 + r.IntN(125)
		return float(r, e), float(r, 254+127-e+r.IntN(5)-2)
	})
}

func TestAdd(t *testing.T) {
	d := adder.elaborate(t)
	require.NoError(t, adder.check(d, allPairs(special()), true))
	require.NoError(t, adder.check(d, nearby(100_000), false))
	require.NoError(t, adder.check(d, bitPatterns(500_000), false))
}

func TestMul(t *testing.T) {
	d := multiplier.elaborate(t)
	require.NoError(t, multiplier.check(d, allPairs(special()), true))
	require.NoError(t, multiplier.check(d, smallProducts(100_000), false))
	require.NoError(t, multiplier.check(d, largeProducts(50_000), false))
	require.NoError(t, multiplier.check(d, bitPatterns(500_000), false))
}

// The bench sees each fault but those that make no difference.
func TestFaultsAreCaught(t *testing.T) {
	for _, c := range []struct {
		unit
		pairs     [][2]uint32
		survivors []string
		tried     int
	}{
		{adder, append(allPairs(special()), nearby(5000)...), []string{
			"leu for ltu at add.go",          // the order of operands of equal magnitude
			"constant off by one at fp32.go", // the limit of a shift, 30 instead of 31: 27 would do
			"constant off by one at fp32.go", // the bits behind x in leadingZeros, never the first set
			"constant off by one at add.go",  // a second bit of stop, which any exponent shifts out
		}, 80},
		{multiplier, append(allPairs(special()), smallProducts(5000)...), []string{
			"constant off by one at fp32.go", // as above, for a
			"constant off by one at fp32.go", // and for b
			"constant off by one at fp32.go", // the limit of a shift, as above
			"constant off by one at fp32.go", // a bit behind the product, which any used shift drops
		}, 80},
	} {
		d := c.elaborate(t)
		survivors, tried := bench.Survivors(d, func() error { return c.check(d, c.pairs, true) })
		require.ElementsMatch(t, c.survivors, withoutLines(survivors), "%q", survivors)
		require.Greater(t, tried, c.tried)
	}
}

// withoutLines drops line numbers and callers from the names of faults.
func withoutLines(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = regexp.MustCompile(`:\d+.*`).ReplaceAllString(n, "")
	}
	return out
}
