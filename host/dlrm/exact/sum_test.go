package exact

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/dlrm/kernel"
)

const (
	rows, cols = 3, 5
	most       = 70 // number of inputs: three panels, the last one partly filled
)

// input is a summand for AddProducts.
type input struct{ y, x []float32 }

// drawValue generates numbers of all sizes. Numbers near 1 are frequent, so that accumulators fill
// and spill. Other numbers vanish below the grid or are far beyond every accumulator.
func drawValue(t *rapid.T) float32 {
	least, largest := -30, 3
	switch rapid.IntRange(0, 20).Draw(t, "size") {
	case 0:
		return 0
	case 1:
		least, largest = -149, 60
	}
	m := rapid.Float32Range(-1, 1).Draw(t, "mantissa")
	return float32(math.Ldexp(float64(m), rapid.IntRange(least, largest).Draw(t, "exponent")))
}

func drawInputs(t *rapid.T) []input {
	value := rapid.Custom(drawValue)
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) input {
		return input{rapid.SliceOfN(value, rows, rows).Draw(t, "y"), rapid.SliceOfN(value, cols, cols).Draw(t, "x")}
	}), 0, most).Draw(t, "inputs")
}

// tensors converts inputs to tensors.
func tensors(inputs []input) (y, x kernel.Tensor) {
	var ys, xs []float32
	for _, in := range inputs {
		ys, xs = append(ys, in.y...), append(xs, in.x...)
	}
	y, x = kernel.NewTensor(rows, kernel.Panels(len(inputs))), kernel.NewTensor(cols, kernel.Panels(len(inputs)))
	y.Load(ys, len(inputs))
	x.Load(xs, len(inputs))
	return y, x
}

func sumOf(inputs []input) *Sum {
	s := NewSum(rows * cols)
	y, x := tensors(inputs)
	s.AddProducts(y, x, len(inputs))
	return s
}

// oracle computes the rule of the package comment with rational numbers.
func oracle(inputs []input) []float32 {
	sums := make([]big.Int, rows*cols)
	for _, in := range inputs {
		for i := range sums {
			sums[i].Add(&sums[i], units(in.y[i/cols], in.x[i%cols]))
		}
	}
	out := make([]float32, len(sums))
	for i := range sums {
		out[i], _ = new(big.Rat).SetFrac(&sums[i], new(big.Int).Lsh(big.NewInt(1), 48)).Float32()
	}
	return out
}

// units returns y*x in units of the grid, rounded to the nearest integer, halves away from zero. It
// first sets the last bit of y as a float64.
func units(y, x float32) *big.Int {
	if y == 0 {
		return new(big.Int)
	}
	odd := math.Float64frombits(math.Float64bits(float64(y)) | 1)
	p := new(big.Rat).Mul(new(big.Rat).SetFloat64(odd), new(big.Rat).SetFloat64(float64(x)))
	p.Mul(p, new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 48)))
	num, den := new(big.Int).Lsh(new(big.Int).Abs(p.Num()), 1), new(big.Int).Lsh(p.Denom(), 1)
	q := num.Add(num, p.Denom())
	q.Quo(q, den)
	if p.Sign() < 0 {
		q.Neg(q)
	}
	return q
}

func add(s *Sum, v float32) { s.Add([]float32{v}, Magnitude([]float32{v})) }

func round(t require.TestingT, s *Sum) []float32 {
	got := make([]float32, s.Len())
	require.NoError(t, s.Round(got))
	return got
}

func TestProductsMatchIntegerArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inputs := drawInputs(t)
		require.Equal(t, oracle(inputs), round(t, sumOf(inputs)))
	})
}

// TestBothAccumulatorsMatchIntegerArithmetic covers the near and the wide accumulator with fixed
// inputs.
func TestBothAccumulatorsMatchIntegerArithmetic(t *testing.T) {
	for name, c := range map[string]struct {
		y    float32
		wide bool
	}{"near": {0x1.8p-9, false}, "wide": {0x1.8p40, true}} {
		t.Run(name, func(t *testing.T) {
			inputs := make([]input, most)
			for i := range inputs {
				inputs[i] = input{[]float32{c.y, -c.y, 0x1p-30}, []float32{1, -0.3, float32(i), 0, 0x1p-20}}
			}
			s := sumOf(inputs)
			require.Equal(t, c.wide, s.wide != nil)
			require.Equal(t, oracle(inputs), round(t, s))
		})
	}
}

func TestOrderAndDivisionDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inputs := drawInputs(t)
		want := round(t, sumOf(inputs))

		shares := make([][]input, rapid.IntRange(1, 4).Draw(t, "shares"))
		for _, in := range rapid.Permutation(inputs).Draw(t, "order") {
			i := rapid.IntRange(0, len(shares)-1).Draw(t, "share")
			shares[i] = append(shares[i], in)
		}
		total := NewSum(rows * cols)
		for _, share := range rapid.Permutation(shares).Draw(t, "merge order") {
			cut := rapid.IntRange(0, len(share)).Draw(t, "cut")
			part := sumOf(share[:cut])
			y, x := tensors(share[cut:])
			part.AddProducts(y, x, len(share)-cut)
			total.Merge(part)
		}
		require.Equal(t, want, round(t, total))
	})
}

// TestAddsAreProductsWithOne: adding vectors, one at a time or as a tensor, equals adding their
// products with 1.
func TestAddsAreProductsWithOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		inputs := drawInputs(t)
		for i := range inputs {
			inputs[i].x = []float32{1, 1, 1, 1, 1}
		}
		products := round(t, sumOf(inputs))
		one, many := NewSum(rows), NewSum(rows)
		y, _ := tensors(inputs)
		many.AddInputs(y, len(inputs))
		for _, in := range inputs {
			one.Add(in.y, Magnitude(in.y))
		}
		for i := range rows {
			require.Equal(t, products[i*cols], round(t, one)[i])
			require.Equal(t, products[i*cols], round(t, many)[i])
		}
	})
}

func TestFloatSumWouldDependOnOrder(t *testing.T) {
	// The purpose of the package: in float32, the sum of the same three numbers depends on their
	// order.
	x := []float32{1, 0x1p-24, 0x1p-24}
	forward, backward := x[0]+x[1]+x[2], x[2]+x[1]+x[0]
	require.NotEqual(t, forward, backward)
	for _, order := range [][]int{{0, 1, 2}, {2, 1, 0}, {1, 0, 2}} {
		s := NewSum(1)
		for _, i := range order {
			add(s, x[i])
		}
		require.Equal(t, []float32{1 + 0x1p-23}, round(t, s))
	}
}

// TestHalvesOfTheGrid: setting the last bit of the factor makes the rounding of halfway cases
// independent of the previous sum. All such products round away from zero.
func TestHalvesOfTheGrid(t *testing.T) {
	for exponent := -149; exponent <= 2; exponent++ {
		y := float32(math.Ldexp(1, exponent))
		for _, x := range []float32{float32(math.Ldexp(1, -49-exponent)), float32(math.Ldexp(3, -49-exponent))} {
			if x == 0 || math.IsInf(float64(x), 0) || float64(y)*float64(x) != float64(x*y) {
				continue // not a float32
			}
			for _, sign := range []float32{1, -1} {
				want := float32(math.Copysign(math.Ceil(float64(y)*float64(x)/Grid)*Grid, float64(sign)))
				for before := range 4 {
					s := NewSum(rows * cols)
					var inputs []input
					for range before {
						inputs = append(inputs, input{[]float32{Grid, 0, 0}, []float32{1, 0, 0, 0, 0}})
					}
					inputs = append(inputs, input{[]float32{sign * y, 0, 0}, []float32{x, 0, 0, 0, 0}})
					yt, xt := tensors(inputs)
					s.AddProducts(yt, xt, len(inputs))
					require.Equal(t, want+float32(before)*Grid, round(t, s)[0], "%v*%v", y, x)
				}
			}
		}
	}
}

// TestNoBias: the rounding errors of many summands are random and do not add up, unlike truncation
// errors.
func TestNoBias(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const n = 100000
	s, want := NewSum(1), 0.0
	for range n {
		v := float32(rng.Float64() * 0x1p-40) // sums of these are exact in float64
		add(s, v)
		want += float64(v)
	}
	require.InDelta(t, want, float64(round(t, s)[0]), 3*math.Sqrt(n/12.)*Grid+want*0x1p-23)
	require.Less(t, 3*math.Sqrt(n/12.)*Grid+want*0x1p-23, n*Grid/8)
}

// TestResolution: the error of each summand is at most half a unit.
func TestResolution(t *testing.T) {
	s := NewSum(1)
	for range 1000 {
		add(s, Grid/2.5)
		add(s, -Grid/3)
	}
	require.Equal(t, []float32{0}, round(t, s))
	add(s, Grid*0.75)
	require.Equal(t, []float32{Grid}, round(t, s))
}

func TestRange(t *testing.T) {
	inf, nan, huge := float32(math.Inf(1)), float32(math.NaN()), float32(math.MaxFloat32)
	for _, c := range []struct {
		name string
		adds []float32
		want any
	}{
		{"within", []float32{3, -2, 0.5}, float32(1.5)},
		{"cancels", []float32{1500, -1500, 0x1p-48}, float32(0x1p-48)},
		{"fills and empties", []float32{5, 5, 0x1p-48, -5, -5}, float32(0x1p-48)},
		{"at the limit", []float32{7.5, -7.5, 7.5}, float32(7.5)},
		{"largest", []float32{huge, huge, -huge}, huge},
		{"too large", []float32{huge, 1, huge}, ErrRange},
		{"too small", []float32{-huge, -huge}, ErrRange},
		{"infinite", []float32{1, inf}, ErrNotFinite},
		{"opposite infinities", []float32{inf, -inf}, ErrNotFinite},
		{"not a number", []float32{nan, 1}, ErrNotFinite},
		{"not a number beats range", []float32{huge, huge, nan}, ErrNotFinite},
	} {
		t.Run(c.name, func(t *testing.T) {
			forward, backward := NewSum(1), NewSum(1)
			parts := []*Sum{NewSum(1), NewSum(1)}
			for i, v := range c.adds {
				add(forward, v)
				add(backward, c.adds[len(c.adds)-1-i])
				add(parts[i%2], v)
			}
			parts[0].Merge(parts[1])
			for _, s := range []*Sum{forward, backward, parts[0]} {
				dst := make([]float32, 1)
				if err, bad := c.want.(error); bad {
					require.ErrorIs(t, s.Round(dst), err)
				} else {
					require.NoError(t, s.Round(dst))
					require.Equal(t, c.want, dst[0])
				}
				require.Equal(t, s.Round(dst), s.Round(dst), "rounding changes nothing")
			}
			forward.Reset()
			require.Equal(t, NewSum(1), forward)
		})
	}
}

// TestMergeSpills: merging keeps the last bit, even if the sum of two accumulators exceeds the
// range of one.
func TestMergeSpills(t *testing.T) {
	total := NewSum(1)
	for _, v := range []float32{7, 7, Grid, -7, -7} {
		part := NewSum(1)
		add(part, v)
		total.Merge(part)
	}
	require.Equal(t, []float32{Grid}, round(t, total))
}

func TestZeroTimesInfinityIsReported(t *testing.T) {
	in := input{make([]float32, rows), make([]float32, cols)}
	in.x[3] = float32(math.Inf(1))
	require.ErrorIs(t, sumOf([]input{in}).Round(make([]float32, rows*cols)), ErrNotFinite)
}

// TestLanesBehindTheLastInput: the contents of lanes after the last input do not matter.
func TestLanesBehindTheLastInput(t *testing.T) {
	nan := float32(math.NaN())
	in := input{[]float32{1, 2, 3}, []float32{4, 5, 6, 7, 8}}
	spoilt := input{[]float32{nan, nan, nan}, []float32{nan, nan, nan, nan, nan}}
	y, x := tensors([]input{in, spoilt})
	s, b := NewSum(rows*cols), NewSum(rows)
	s.AddProducts(y, x, 1)
	b.AddInputs(y, 1)
	require.Equal(t, oracle([]input{in}), round(t, s))
	require.Equal(t, in.y, round(t, b))
}

func TestMagnitude(t *testing.T) {
	for n := range 100 {
		x := make([]float32, n)
		require.Zero(t, Magnitude(x))
		for i := range x {
			x[i] = float32(i % 50)
		}
		for i := range x {
			x[i] = -1000
			require.EqualValues(t, 1000, Magnitude(x))
			x[i] = float32(math.NaN())
			require.True(t, math.IsNaN(Magnitude(x)))
			x[i] = 0
		}
	}
}

func TestLengthsMustMatch(t *testing.T) {
	s := NewSum(3)
	require.Equal(t, 3, s.Len())
	y, x := tensors([]input{{make([]float32, rows), make([]float32, cols)}})
	require.Panics(t, func() { s.Add(make([]float32, 2), 0) })
	require.Panics(t, func() { s.AddProducts(y, x, 1) })
	require.Panics(t, func() { s.AddInputs(x, 1) })
	require.Panics(t, func() { s.Merge(NewSum(4)) })
	require.Panics(t, func() { _ = s.Round(make([]float32, 4)) })
}
