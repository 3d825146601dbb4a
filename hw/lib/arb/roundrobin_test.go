package arb_test

import (
	"fmt"
	"math/bits"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// next returns the first requester after last in a circle of n, or n if there is none.
func next(request uint64, last, n int) int {
	for k := 1; k <= n; k++ {
		if i := (last + k) % n; request>>i&1 != 0 {
			return i
		}
	}
	return n
}

// checkRoundRobin compares random requests with the model next, several times from reset.
func checkRoundRobin(d *ir.Design, n int) error {
	for seed := range uint64(20) {
		if err := requests(d, n, seed); err != nil {
			return fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	return nil
}

func requests(d *ir.Design, n int, seed uint64) error {
	b, err := bench.New(d, seed)
	if err != nil {
		return err
	}
	request, accept, grant := b.Pin("request"), b.Pin("accept"), b.Pin("grant")
	last := n - 1
	for cycle := range 50 {
		var req uint64
		switch density := b.Rand.IntN(4); density {
		case 0: // none
		case 1:
			req = 1 << b.Rand.IntN(n)
		default:
			req = b.Rand.Uint64() >> (64 - n)
		}
		taken := b.Rand.IntN(3) > 0
		request.Set(req)
		accept.SetBool(taken)
		var want uint64
		if i := next(req, last, n); i < n {
			want = 1 << i
			if taken {
				last = i
			}
		}
		if grant.Get() != want {
			return fmt.Errorf("cycle %d: request %x granted %x, want %x", cycle, req, grant.Get(), want)
		}
		if err := b.Sim.Step(); err != nil {
			return err
		}
	}
	return nil
}

var sizes = []int{1, 2, 3, 5, 8, 33, 64}

func TestRoundRobinAgainstModel(t *testing.T) {
	for _, n := range sizes {
		d, err := hw.Elaborate(arb.RoundRobin{N: n})
		require.NoError(t, err)
		require.NoError(t, checkRoundRobin(d, n), d.Top.Name)
	}
}

// TestRoundRobinIsFair: between two grants to one requester, every continuously waiting requester
// is granted.
func TestRoundRobinIsFair(t *testing.T) {
	const n = 16
	d, err := hw.Elaborate(arb.RoundRobin{N: n})
	require.NoError(t, err)
	b, err := bench.New(d, 1)
	require.NoError(t, err)
	b.Pin("accept").Set(1)
	passed := [n][n]int{} // grants to j since i waits
	var waiting uint64
	for range 2000 {
		waiting |= b.Rand.Uint64() & b.Rand.Uint64() & (1<<n - 1)
		b.Pin("request").Set(waiting)
		grant := b.Pin("grant").Get()
		require.Equal(t, min(1, bits.OnesCount64(waiting)), bits.OnesCount64(grant))
		for i := range n {
			if waiting&^grant>>i&1 == 0 {
				passed[i] = [n]int{}
			} else if grant != 0 {
				j := bits.TrailingZeros64(grant)
				passed[i][j]++
				require.Less(t, passed[i][j], 2, "%d passed %d twice", j, i)
			}
		}
		waiting &^= grant
		require.NoError(t, b.Sim.Step())
	}
}

func TestRoundRobinFaultsAreCaught(t *testing.T) {
	for _, n := range []int{5, 8} {
		d, err := hw.Elaborate(arb.RoundRobin{N: n})
		require.NoError(t, err)
		survivors, tried := bench.Survivors(d, func() error { return checkRoundRobin(d, n) })
		require.Empty(t, survivors, d.Top.Name)
		require.Greater(t, tried, 5)
	}
}
