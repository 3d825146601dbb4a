package systolic_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/hotline-rtl/hotline/examples/systolic"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/hwtest"
)

// matrix returns a random matrix.
func matrix(r *rand.Rand, p systolic.Array) [][]uint64 {
	out := make([][]uint64, p.N)
	for i := range out {
		for range p.N {
			out[i] = append(out[i], r.Uint64()>>(64-p.Width))
		}
	}
	return out
}

// products multiplies n pairs of matrices, one after the other.
func products(p systolic.Array, n int) hwtest.Drive {
	return func(s sim.Simulator) error {
		tb, r := sim.Bind[systolic.Ports](s, p), rand.New(rand.NewPCG(1, 2))
		for range n {
			a, b := matrix(r, p), matrix(r, p)
			at := func(x [][]uint64, row, column int) uint64 {
				if row < 0 || row >= p.N || column < 0 || column >= p.N {
					return 0
				}
				return x[row][column]
			}
			for t := range 3 * p.N {
				for i := range p.N {
					tb.Left.N(i).Poke(at(a, i, t-i))
					tb.Top.N(i).Poke(at(b, t-i, i))
				}
				if err := s.Step(); err != nil {
					return err
				}
			}
			for i := range p.Cells() {
				want := uint64(0)
				for k := range p.N {
					want += a[i/p.N][k] * b[k][i%p.N]
				}
				if got := tb.Sums.N(i).Peek(); got != want {
					return fmt.Errorf("sum %d is %d, want %d", i, got, want)
				}
			}
			tb.Clear.Poke(1)
			if err := s.Step(); err != nil {
				return err
			}
			tb.Clear.Poke(0)
		}
		return nil
	}
}

func TestArray(t *testing.T) {
	p := systolic.Array{N: 4, Width: 8}
	hwtest.Run(t, p, products(p, 20))
	hwtest.Resets(t, p, products(p, 1))
	p = systolic.Array{N: 1, Width: 31}
	hwtest.Run(t, p, products(p, 5))
	hwtest.Run(t, p, hwtest.Random(1000))
}
