package lookup

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	trial "github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	for name, p := range map[string]arch.Params{"lookup": tiny, "lookup_e16": shapes["sixteen engines, odd half"]} {
		d, err := hw.Elaborate(Of(p))
		require.NoError(t, err)
		yosystest.Run(t, name, d, 1, func(d *ir.Design, seed uint64) error {
			return compareAll(trial.Trial{TB: t}, d, p, 100*p.Engines, int64(seed))
		})
	}
	d, err := hw.Elaborate(cacheOf(tiny))
	require.NoError(t, err)
	yosystest.Run(t, "lookup_cache", d, 1, func(d *ir.Design, _ uint64) error { return compareCache(trial.Trial{TB: t}, d, tiny) })
}
