package tt_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/dlrm/tt"
)

func shapeOf(t require.TestingT, rows, dim, rank int) tt.Shape {
	s, err := tt.ShapeOf(rows, dim, rank)
	require.NoError(t, err)
	return s
}

// TestTableIII compares with Table III of the EL-Rec paper: tables of more than 1M rows in
// tensor-train form with rank 128. Its "GB" is 1000 MiB, its "MB" a MiB.
func TestTableIII(t *testing.T) {
	for _, c := range []struct {
		name        string
		dim         int
		tables      []int
		plain, size float64 // in MiB
		ratio       float64
	}{
		{"Avazu", 16, []int{8, 4680, 7567, 27, 8380, 550, 36, 2512738, 6385037, 8165, 6, 5, 2621, 9, 10, 434, 5, 69, 173, 61}, 550, 87.6, 6.22},
		{"Terabyte", 64, []int{49999999, 38372, 17051, 7425, 20266, 4, 7040, 1522, 64, 49999999, 2953986, 397019, 11, 2209, 11797, 128, 4, 977, 15,
			49999999, 38415840, 49999999, 578540, 12787, 109, 37}, 59200, 797.9, 74.19},
		{"Kaggle", 16, []int{1461, 581, 9214729, 2031648, 306, 24, 12471, 634, 4, 90948, 5633, 7607629, 3183, 28, 14825, 4995567, 11, 5606, 2172, 4,
			6431684, 18, 16, 272266, 105, 138045}, 1900, 258.2, 7.29},
	} {
		plain, compressed := 0, 0
		for _, rows := range c.tables {
			plain += rows * c.dim
			if rows > 1_000_000 {
				compressed += shapeOf(t, rows, c.dim, 128).Len()
			} else {
				compressed += rows * c.dim
			}
		}
		mib := func(values int) float64 { return float64(values) * 4 / (1 << 20) }
		require.Equal(t, c.size, math.Round(mib(compressed)*10)/10, c.name)
		require.Equal(t, c.ratio, math.Round(mib(plain)/mib(compressed)*100)/100, c.name)
		require.InEpsilon(t, c.plain, mib(plain), 0.02, c.name)
	}
}

// TestShapeOf checks shapes that FBTT-Embedding documents and computes.
func TestShapeOf(t *testing.T) {
	s := shapeOf(t, 11_000_000, 64, 32)
	require.Equal(t, [3]int{200, 220, 250}, s.Rows)
	require.Equal(t, [3]int{4, 4, 4}, s.Dims)
	require.Equal(t, [3]int{2, 4, 2}, shapeOf(t, 10, 16, 1).Dims)
	require.Equal(t, [3]int{4, 4, 8}, shapeOf(t, 10, 128, 1).Dims)
	require.Equal(t, [3]int{1, 1, 5}, shapeOf(t, 10, 5, 1).Dims)
	for _, c := range [][3]int{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}, {1, 1, 1025}} {
		_, err := tt.ShapeOf(c[0], c[1], c[2])
		require.ErrorContains(t, err, "with rank")
	}
	rapid.Check(t, func(t *rapid.T) {
		rows, dim := rapid.IntRange(1, 1<<22).Draw(t, "rows"), rapid.IntRange(1, 256).Draw(t, "dim")
		s := shapeOf(t, rows, dim, 3)
		require.GreaterOrEqual(t, s.Rows[0]*s.Rows[1]*s.Rows[2], rows)
		require.Equal(t, dim, s.Dim())
		row := uint32(rapid.IntRange(0, rows-1).Draw(t, "row"))
		i := s.Slices(row)
		require.EqualValues(t, row, (i[0]*s.Rows[1]+i[1])*s.Rows[2]+i[2])
		require.EqualValues(t, s.Prefix(row), i[0]*s.Rows[1]+i[1])
		for core := range i {
			require.Less(t, i[core], s.Rows[core])
		}
	})
}

func slicesOf(s tt.Shape, row uint32) tt.Slices {
	var of tt.Slices
	for core, i := range s.Slices(row) {
		of[core] = make([]float32, s.SliceLen(core))
		s.InitSlice(7, 2, core, i, of[core])
	}
	return of
}

func rowOf(s tt.Shape, of tt.Slices) []float32 {
	prefix, row := make([]float32, s.PrefixLen()), make([]float32, s.Dim())
	s.MulPrefix(prefix, of)
	s.MulRow(row, prefix, of)
	return row
}

// value computes a value of a row by definition. If round is true, it uses float32 sums and
// products in index order, otherwise exact arithmetic.
func value(s tt.Shape, of tt.Slices, j1, j2, j3 int, round bool) float64 {
	f := func(v float64) float64 {
		if round {
			return float64(float32(v))
		}
		return v
	}
	sum := 0.0
	for b := range s.Rank {
		inner := 0.0
		for a := range s.Rank {
			inner = f(inner + f(float64(of[0][j1*s.Rank+a])*float64(of[1][(a*s.Dims[1]+j2)*s.Rank+b])))
		}
		sum = f(sum + f(inner*float64(of[2][b*s.Dims[2]+j3])))
	}
	return sum
}

var shapes = []tt.Shape{
	{Rows: [3]int{2, 3, 4}, Dims: [3]int{2, 3, 2}, Rank: 5}, {Rows: [3]int{2, 3, 4}, Dims: [3]int{1, 1, 1}, Rank: 1}, {Rows: [3]int{3, 3, 3}, Dims: [3]int{2, 4, 2}, Rank: 7},
}

// TestRows: rows equal the definition bit by bit under the numerical rule, and are close to the
// exact values.
func TestRows(t *testing.T) {
	for _, s := range shapes {
		for row := range uint32(s.Rows[0] * s.Rows[1] * s.Rows[2]) {
			of := slicesOf(s, row)
			got, k := rowOf(s, of), 0
			for j1 := range s.Dims[0] {
				for j2 := range s.Dims[1] {
					for j3 := range s.Dims[2] {
						require.Equal(t, float32(value(s, of, j1, j2, j3, true)), got[k])
						require.InEpsilon(t, value(s, of, j1, j2, j3, false), got[k], 1e-5)
						k++
					}
				}
			}
		}
	}
}

// TestReuse: a shared product of two slices has the same bits as a row's own product.
func TestReuse(t *testing.T) {
	s := shapes[0]
	prefix, row := make([]float32, s.PrefixLen()), make([]float32, s.Dim())
	s.MulPrefix(prefix, slicesOf(s, 9))
	for _, i := range []uint32{8, 10, 11} {
		require.Equal(t, s.Prefix(9), s.Prefix(i))
		s.MulRow(row, prefix, slicesOf(s, i))
		require.Equal(t, rowOf(s, slicesOf(s, i)), row)
	}
	require.NotEqual(t, s.Prefix(9), s.Prefix(12))
}

// TestGradients compares the gradients of sum(g x row) with exact gradients of the expanded
// product, and with differences.
func TestGradients(t *testing.T) {
	for _, s := range shapes {
		of := slicesOf(s, 7)
		g := make([]float32, s.Dim())
		for i := range g {
			g[i] = float32(i%5) - 1.75
		}
		prefix, grad := make([]float32, s.PrefixLen()), tt.NewGradient(s)
		s.MulPrefix(prefix, of)
		for range 2 { // no state remains from an earlier call
			grad.Of(g, prefix, of)
		}
		want := exactGradients(s, of, g)
		for core := range of {
			for i, w := range want[core] {
				require.InDelta(t, w, grad.Slices[core][i], 1e-4*math.Abs(w)+1e-6, "core %d, value %d", core, i)
				require.InDelta(t, difference(s, of, g, core, i), w, 1e-9, "core %d, value %d", core, i)
			}
		}
	}
}

// exactGradients adds the product of the two other values to each value's gradient, for every path
// through the cores.
func exactGradients(s tt.Shape, of tt.Slices, g []float32) (out [3][]float64) {
	for core := range out {
		out[core] = make([]float64, s.SliceLen(core))
	}
	for k := range g {
		j1, j2, j3 := k/s.Dims[2]/s.Dims[1], k/s.Dims[2]%s.Dims[1], k%s.Dims[2]
		for a := range s.Rank {
			for b := range s.Rank {
				x, y, z := j1*s.Rank+a, (a*s.Dims[1]+j2)*s.Rank+b, b*s.Dims[2]+j3
				u, v, w := float64(of[0][x]), float64(of[1][y]), float64(of[2][z])
				out[0][x] += float64(g[k]) * v * w
				out[1][y] += float64(g[k]) * u * w
				out[2][z] += float64(g[k]) * u * v
			}
		}
	}
	return out
}

// difference returns the change of sum(g x row), which is linear in one slice, in high-precision
// arithmetic.
func difference(s tt.Shape, of tt.Slices, g []float32, core, at int) float64 {
	loss := func() *big.Float {
		sum := new(big.Float).SetPrec(400)
		for k := range g {
			j1, j2, j3 := k/s.Dims[2]/s.Dims[1], k/s.Dims[2]%s.Dims[1], k%s.Dims[2]
			for a := range s.Rank {
				for b := range s.Rank {
					p := new(big.Float).SetPrec(400).SetFloat64(float64(g[k]))
					for _, v := range []float32{of[0][j1*s.Rank+a], of[1][(a*s.Dims[1]+j2)*s.Rank+b], of[2][b*s.Dims[2]+j3]} {
						p.Mul(p, new(big.Float).SetFloat64(float64(v)))
					}
					sum.Add(sum, p)
				}
			}
		}
		return sum
	}
	old := of[core][at]
	defer func() { of[core][at] = old }()
	before := loss()
	of[core][at] = old + 0.5
	step := float64(of[core][at]) - float64(old)
	d, _ := new(big.Float).Sub(loss(), before).Float64()
	return d / step
}

// TestInit: initial values are positive, below the bound, spread, and a function of their key.
func TestInit(t *testing.T) {
	s := shapeOf(t, 5_000_000, 16, 32)
	bound := math.Cbrt(math.Sqrt(2/float64(s.Rows[0]*s.Rows[1]*s.Rows[2]+16))) * math.Pow(32, -1./6) * math.Pow(32, -1./6)
	a, b := make([]float32, s.SliceLen(1)), make([]float32, s.SliceLen(1))
	s.InitSlice(1, 0, 1, 3, a)
	sum, top := 0.0, 0.0
	for _, v := range a {
		require.GreaterOrEqual(t, v, float32(0))
		sum, top = sum+float64(v), max(top, float64(v))
	}
	require.InEpsilon(t, bound/2, sum/float64(len(a)), 0.03)
	require.InEpsilon(t, bound, top, 0.01)
	require.LessOrEqual(t, top, bound*(1+1e-6))
	s.InitSlice(1, 0, 1, 3, b)
	require.Equal(t, a, b)
	for _, key := range [][4]int{{2, 0, 1, 3}, {1, 1, 1, 3}, {1, 0, 1, 4}} {
		s.InitSlice(uint64(key[0]), key[1], key[2], key[3], b)
		require.NotEqual(t, a, b)
	}
}
