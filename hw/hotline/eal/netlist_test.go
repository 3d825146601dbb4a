package eal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	trial "github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	p := params(4, 8, 2, 16, 13)
	p.Window = 64 // so that answers wait
	d, err := hw.Elaborate(Of(p))
	require.NoError(t, err)
	yosystest.Run(t, "eal", d, 1, func(d *ir.Design, seed uint64) error {
		return compare(trial.Trial{TB: t}, d, p, 200, int64(seed))
	})
}
