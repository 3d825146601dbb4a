package gen

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

// TestZipfSharesOfRanks compares the share of the quantiles of each rank with the integral that
// defines it and, loosely, with Zipf's law.
func TestZipfSharesOfRanks(t *testing.T) {
	const steps = 20000
	for _, a := range []float64{0, 0.5, 1, 1.3, 2.5} {
		for _, n := range []int{1, 3, 50} {
			z := newZipf(n, a)
			counts := make([]float64, n)
			last := uint32(0)
			for i := range steps {
				r := z.rank((float64(i) + 0.5) / steps)
				require.GreaterOrEqual(t, r, last, "ranks must rise with the quantile")
				last = r
				counts[r]++
			}
			all := 0.0
			for r := range n {
				all += math.Pow(float64(r+1), -a)
			}
			for r := range n {
				lo, hi := float64(r)+0.5, float64(r)+1.5
				want := (integral(a, hi) - integral(a, lo)) / (integral(a, float64(n)+0.5) - integral(a, 0.5))
				require.InDelta(t, want, counts[r]/steps, 2.0/steps, "a %v, rank %d of %d", a, r, n)
				require.InDelta(t, math.Pow(float64(r+1), -a)/all, counts[r]/steps, 0.1)
			}
		}
	}
}

func integral(a, x float64) float64 {
	if a == 1 {
		return math.Log(x)
	}
	return math.Pow(x, 1-a) / (1 - a)
}

func TestZipfStaysInRange(t *testing.T) {
	for _, a := range []float64{0, 0.999999, 1, 1.000001, 5, maxZipf} {
		for _, n := range []int{1, 2, 1000, 1 << 32} {
			z := newZipf(n, a)
			require.Zero(t, z.rank(0))
			require.Less(t, uint64(z.rank(1-0x1p-53)), uint64(n), "a %v, n %d", a, n)
		}
	}
	require.Equal(t, uint32(math.MaxUint32), newZipf(1<<32, 0).rank(1-0x1p-53))
}

// TestGuide: the lookup table changes no rank.
func TestGuide(t *testing.T) {
	for _, table := range append(CriteoLike(1).Tables, preset(t, "kaggle").Tables...) {
		l := newLaw(table)
		g := newGuide(l)
		r := detmath.NewStream(uint64(table.Rows))
		for range 2000 {
			u := r.Float64()
			require.Equal(t, l.rank(u), g.rank(u), "%s at %v", table.Name, u)
		}
		for i := range len(g.ranks) + 1 {
			for _, u := range []float64{math.Nextafter(float64(i)/float64(len(g.ranks)), 0), float64(i) / float64(len(g.ranks))} {
				if u < 1 {
					require.Equal(t, l.rank(u), g.rank(u), "%s at %v", table.Name, u)
				}
			}
		}
	}
}
