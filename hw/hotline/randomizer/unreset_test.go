package randomizer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/sim/bench"
)

func TestRemovedResetsAreNoticed(t *testing.T) {
	for _, g := range []Randomizer{{Width: 22}, {Width: 22, Inverse: true}} {
		d, err := hw.Elaborate(g)
		require.NoError(t, err)
		require.Empty(t, bench.Unreset(d, 32, func(seed uint64) error { return compare(bench.Trial{TB: t}, d, g, seed) }))
	}
}
