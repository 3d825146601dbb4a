package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// outer is one AddOuter call.
type outer struct{ y, x []float32 }

const rows, cols = 6, 5

// drawOuter draws vectors whose magnitudes spread over many binades, with zeros among them.
func drawOuter(t *rapid.T) outer {
	value := rapid.Custom(func(t *rapid.T) float32 {
		if rapid.IntRange(0, 3).Draw(t, "zero") == 0 {
			return 0
		}
		m := rapid.Float32Range(-1, 1).Draw(t, "mantissa")
		return float32(math.Ldexp(float64(m), rapid.IntRange(-30, 2).Draw(t, "exponent")))
	})
	return outer{
		y: rapid.SliceOfN(value, rows, rows).Draw(t, "y"),
		x: rapid.SliceOfN(value, cols, cols).Draw(t, "x"),
	}
}

func bits(f []float32) []uint32 {
	u := make([]uint32, len(f))
	for i, v := range f {
		u[i] = math.Float32bits(v)
	}
	return u
}

// bigRound is the rule of the package comment for one summand, by integers: p*2^40 to the nearest, ties to even.
func bigRound(p *big.Rat) *big.Int {
	scaled := new(big.Rat).Mul(p, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 40)))
	twice := new(big.Int).Lsh(scaled.Num(), 1)
	den := new(big.Int).Lsh(scaled.Denom(), 1)
	sum := twice.Add(twice, scaled.Denom()) // floor((2*num + den) / (2*den)) is the nearest, ties up
	q, r := new(big.Int).DivMod(sum, den, new(big.Int))
	if r.Sign() == 0 && q.Bit(0) == 1 {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

func rat(f float32) *big.Rat { return new(big.Rat).SetFloat64(float64(f)) }

func TestOuterMatchesIntegerArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		calls := rapid.SliceOfN(rapid.Custom(drawOuter), 1, 8).Draw(t, "calls")
		s := NewSum(rows * cols)
		want := make([]*big.Int, rows*cols)
		for i := range want {
			want[i] = new(big.Int)
		}
		for _, c := range calls {
			s.AddOuter(c.y, c.x)
			for i := range want {
				p := new(big.Rat).Mul(rat(c.y[i/cols]), rat(c.x[i%cols]))
				want[i].Add(want[i], bigRound(p))
			}
		}
		got := make([]float32, rows*cols)
		require.NoError(t, s.Round(got))
		for i := range want {
			exact := new(big.Rat).SetFrac(want[i], new(big.Int).Lsh(big.NewInt(1), 40))
			f, _ := exact.Float32()
			require.Equal(t, f, got[i], "element %d", i)
		}
	})
}

func TestOrderAndDivisionDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		calls := rapid.SliceOfN(rapid.Custom(drawOuter), 1, 12).Draw(t, "calls")
		one := NewSum(rows * cols)
		for _, c := range calls {
			one.AddOuter(c.y, c.x)
		}
		want := make([]float32, rows*cols)
		require.NoError(t, one.Round(want))

		shares := rapid.IntRange(1, 4).Draw(t, "shares")
		parts := NewSums(shares, rows*cols)
		for _, c := range rapid.Permutation(calls).Draw(t, "order") {
			parts[rapid.IntRange(0, shares-1).Draw(t, "share")].AddOuter(c.y, c.x)
		}
		total := NewSum(rows * cols)
		for _, i := range rapid.Permutation([]int{0, 1, 2, 3}[:shares]).Draw(t, "merge order") {
			total.Merge(&parts[i])
		}
		got := make([]float32, rows*cols)
		require.NoError(t, total.Round(got))
		require.Equal(t, bits(want), bits(got))
		require.Equal(t, one.load, total.load)
	})
}

func TestAddIsOuterWithOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := drawOuter(t).x
		a, b := NewSum(cols), NewSum(cols)
		a.Add(x)
		b.AddOuter([]float32{1}, x)
		require.Equal(t, b, a)
	})
}

func TestFloatSumWouldDependOnOrder(t *testing.T) {
	// The case that the package exists for: the same three numbers, added in float32, give two results.
	x := []float32{1, 0x1p-24, 0x1p-24}
	forward, backward := x[0]+x[1]+x[2], x[2]+x[1]+x[0]
	require.NotEqual(t, forward, backward)
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		s := NewSum(1)
		for _, i := range order {
			s.Add(x[i : i+1])
		}
		got := make([]float32, 1)
		require.NoError(t, s.Round(got))
		require.Equal(t, float32(1+0x1p-23), got[0])
	}
}

func TestTiesRoundToEvenOfTheSummand(t *testing.T) {
	s := NewSum(4)
	half := float32(Grid / 2)
	s.Add([]float32{half, 3 * half, 5 * half, -3 * half})
	got := make([]float32, 4)
	require.NoError(t, s.Round(got))
	require.Equal(t, []float32{0, 2 * Grid, 2 * Grid, -2 * Grid}, got)
}

func TestRange(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, c := range []struct {
		name string
		adds []float32
		want error
	}{
		{"within", []float32{1000, -1000}, nil},
		{"cancels, yet too large", []float32{1500, -1500}, ErrRange},
		{"one value at the limit", []float32{Limit}, ErrRange},
		{"huge", []float32{math.MaxFloat32, -math.MaxFloat32}, ErrRange},
		{"infinite", []float32{1, inf}, ErrNotFinite},
		{"opposite infinities", []float32{inf, -inf}, ErrNotFinite},
		{"not a number", []float32{nan, 1}, ErrNotFinite},
		{"not a number beats range", []float32{5000, nan}, ErrNotFinite},
	} {
		t.Run(c.name, func(t *testing.T) {
			forward, backward := NewSum(1), NewSum(1)
			parts := NewSums(2, 1)
			for i, v := range c.adds {
				forward.Add([]float32{v})
				backward.Add([]float32{c.adds[len(c.adds)-1-i]})
				parts[i%2].Add([]float32{v})
			}
			parts[0].Merge(&parts[1])
			for _, s := range []*Sum{forward, backward, &parts[0]} {
				dst := []float32{42}
				require.ErrorIs(t, s.Round(dst), c.want)
				if c.want != nil {
					require.Equal(t, float32(42), dst[0], "dst must be untouched on error")
				}
			}
			forward.Reset()
			require.NoError(t, forward.Err())
		})
	}
}

func TestRangeErrorDoesNotDependOnOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		x := make([]float32, 40)
		for i := range x {
			x[i] = float32(rng.NormFloat64() * Limit / 32)
		}
		var first error
		for try := range 5 {
			s := NewSum(1)
			for _, i := range rng.Perm(len(x)) {
				s.Add(x[i : i+1])
			}
			if try == 0 {
				first = s.Err()
			}
			require.Equal(t, first, s.Err())
		}
	}
}

func TestZeroTimesInfinityIsReported(t *testing.T) {
	s := NewSum(1)
	s.AddOuter([]float32{0}, []float32{float32(math.Inf(1))})
	require.ErrorIs(t, s.Err(), ErrNotFinite)
}

func TestOuterSkipsOnlyZeroRows(t *testing.T) {
	for n := range 10 {
		y := make([]float32, n)
		want := make([]float32, 2*n)
		for i := range y {
			if i%3 != 1 {
				y[i] = float32(i + 1)
			}
			want[2*i], want[2*i+1] = y[i]*2, y[i]*-3
		}
		s := NewSum(2 * n)
		s.AddOuter(y, []float32{2, -3})
		got := make([]float32, 2*n)
		require.NoError(t, s.Round(got))
		require.Equal(t, want, got)
	}
}

func TestLengthsMustMatch(t *testing.T) {
	s := NewSum(3)
	require.Equal(t, 3, s.Len())
	require.Panics(t, func() { s.Add(make([]float32, 2)) })
	require.Panics(t, func() { s.AddOuter(make([]float32, 2), make([]float32, 2)) })
	require.Panics(t, func() { s.Merge(NewSum(4)) })
	require.Panics(t, func() { _ = s.Round(make([]float32, 4)) })
}

// TestResolution: what is lost to the grid, and that it does not reach a
// parameter.
func TestResolution(t *testing.T) {
	const least = 0x1p-41
	got := make([]float32, 1)
	lost := NewSum(1)
	for range 1000 {
		lost.Add([]float32{least})
		lost.Add([]float32{-least / 3})
	}
	require.NoError(t, lost.Round(got))
	require.Zero(t, got[0])

	rng := rand.New(rand.NewPCG(3, 4))
	for n := 1; n < 300; n += 7 {
		s, want := NewSum(1), 0.
		for range n {
			v := float32(rng.NormFloat64() * 0x1p-30) // sums of these are exact in float64 to far below the grid
			s.Add([]float32{v})
			want += float64(v)
		}
		require.InDelta(t, want, s.v[0], float64(n)*least)
	}
	for range 1000 {
		w := float32(math.Ldexp(1+rng.Float64(), rng.IntN(20)-16))
		require.Equal(t, w, w+least)
		require.Equal(t, w, w-least/2) // below a power of two, units are half as large
	}
}
