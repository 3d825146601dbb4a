package randomizer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	for name, g := range map[string]Randomizer{"randomizer": {Width: 22}, "randomizer_inverse": {Width: 22, Inverse: true}} {
		d, err := hw.Elaborate(g)
		require.NoError(t, err)
		yosystest.Run(t, name, d, 4, func(d *ir.Design, seed uint64) error { return compare(bench.Trial{TB: t}, d, g, seed) })
	}
}
