package model_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/sim/compiled/model"
)

func TestLanes(t *testing.T) {
	for _, c := range []struct {
		size            int
		spread, collect func(uint64) uint64
	}{{8, model.Spread8, model.Collect8}, {16, model.Spread16, model.Collect16}, {32, model.Spread32, model.Collect32}} {
		lanes := 64 / c.size
		for x := range uint64(1) << lanes {
			var want, top uint64
			for k := range lanes {
				if x>>k&1 != 0 {
					want |= (1<<c.size - 1) << (k * c.size)
					top |= 1 << (k*c.size + c.size - 1)
				}
			}
			require.Equal(t, want, c.spread(x), "%d lanes: spread %b", lanes, x)
			require.Equal(t, x, c.collect(top), "%d lanes: collect %b", lanes, x)
		}
	}
}

func TestBools(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 65 {
		for range 20 {
			x := r.Uint64()
			if n < 64 {
				x &= 1<<n - 1
			}
			bools := make([]bool, n)
			model.SetBools(bools, x)
			for i, b := range bools {
				require.Equal(t, x>>i&1 != 0, b, "%d of %d", i, n)
			}
			require.Equal(t, x, model.Bits(bools), n)
		}
	}
}

func TestFirstBit(t *testing.T) {
	for i := range 64 {
		require.Equal(t, i, model.FirstBit(1<<i))
		require.Equal(t, i, model.FirstBit(^uint64(0)<<i))
	}
}
