package fp32_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/fp32"
	"github.com/hotline-rtl/hotline/hw/lib/fp32/fp32test"
	"github.com/hotline-rtl/hotline/sim/bench"
)

type unit struct {
	gen  hw.Generator[fp32.Ports]
	want func(a, b uint32) uint32
}

var (
	adder      = unit{fp32.Add{}, fp32test.Sum}
	multiplier = unit{fp32.Mul{}, fp32test.Product}
)

func (u unit) elaborate(t *testing.T) *ir.Design {
	d, err := hw.Elaborate(u.gen)
	require.NoError(t, err)
	return d
}

// check streams operand pairs through d and checks each result and its cycle. If gaps is set,
// there are cycles with random operands between the pairs.
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

// drawn returns n random pairs.
func drawn(n int, draw fp32test.Draw) [][2]uint32 {
	r := rand.New(rand.NewPCG(1, 0))
	out := make([][2]uint32, n)
	for i := range out {
		out[i][0], out[i][1] = draw(r)
	}
	return out
}

// borders returns all pairs of numbers at the limits of the format.
func borders() [][2]uint32 { return fp32test.AllPairs(fp32test.Special()) }

func TestAdd(t *testing.T) {
	d := adder.elaborate(t)
	require.NoError(t, adder.check(d, borders(), true))
	require.NoError(t, adder.check(d, drawn(100_000, fp32test.Nearby), false))
	require.NoError(t, adder.check(d, drawn(500_000, fp32test.BitPatterns), false))
}

func TestMul(t *testing.T) {
	d := multiplier.elaborate(t)
	require.NoError(t, multiplier.check(d, borders(), true))
	require.NoError(t, multiplier.check(d, drawn(100_000, fp32test.SmallProducts), false))
	require.NoError(t, multiplier.check(d, drawn(50_000, fp32test.LargeProducts), false))
	require.NoError(t, multiplier.check(d, drawn(500_000, fp32test.BitPatterns), false))
}

// TestFaultsAreCaught: the bench detects each fault except those without an observable effect.
func TestFaultsAreCaught(t *testing.T) {
	for _, c := range []struct {
		unit
		pairs     [][2]uint32
		survivors []string
		tried     int
	}{
		{adder, append(borders(), drawn(5000, fp32test.Nearby)...), []string{
			"leu for ltu at add.go",          // the order of operands of equal magnitude
			"constant off by one at fp32.go", // the limit of a shift, 30 instead of 31: 27 would be enough
			"constant off by one at fp32.go", // the bits after x in leadingZeros, never the first set bit
			"constant off by one at add.go",  // a second bit of stop, which any exponent shifts out
		}, 80},
		{multiplier, append(borders(), drawn(5000, fp32test.SmallProducts)...), []string{
			"constant off by one at fp32.go", // the bits after x, as above
			"constant off by one at fp32.go", // the limit of a shift, as above
			"constant off by one at fp32.go", // a bit after the product, which any used shift drops
		}, 80},
	} {
		d := c.elaborate(t)
		survivors, tried := bench.Survivors(d, func() error { return c.check(d, c.pairs, true) })
		require.ElementsMatch(t, c.survivors, withoutLines(survivors), "%q", survivors)
		require.Greater(t, tried, c.tried)
	}
}

// withoutLines removes line numbers and callers from the names of faults.
func withoutLines(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = regexp.MustCompile(`:\d+.*`).ReplaceAllString(n, "")
	}
	return out
}
