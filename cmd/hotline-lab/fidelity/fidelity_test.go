package fidelity

import (
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// Bounds that docs/evidence/verification.md states.
const (
	worst = 0.001   // maximum error of a time
	mean  = 0.00005 // mean error of all times
)

// TestFidelity: at points of the quick grid, both models count the same events and leave the same
// memory contents. Their times agree within the bounds.
func TestFidelity(t *testing.T) {
	const each = 3 // tests one of this number of points
	sum, n := 0.0, 0
	for i, p := range grid() {
		if !p.quick || i%each != 0 {
			continue
		}
		c, err := p.compare(io.Discard)
		require.NoError(t, err)
		require.Len(t, c.functional, len(c.cycle))
		for k, want := range c.cycle {
			got := c.functional[k]
			require.Equal(t, want.Counts, got.Counts, "%s, %s", p.name, want.Command)
			require.Equal(t, want.Left, got.Left, "%s, %s", p.name, want.Command)
			e := math.Abs(off(want, got))
			require.LessOrEqual(t, e, worst, "%s, %s: %v, want %v", p.name, want.Command, got.Time, want.Time)
			sum += e
			n++
		}
	}
	require.Greater(t, n, 100)
	require.LessOrEqual(t, sum/float64(n), mean)
}

// TestGrid: names are unique, since another program looks its point up by name, and every point is
// valid.
func TestGrid(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range grid() {
		require.False(t, seen[p.name], p.name)
		seen[p.name] = true
		require.NoError(t, p.params.Validate(), p.name)
		require.True(t, p.fits(), p.name)
	}
}
