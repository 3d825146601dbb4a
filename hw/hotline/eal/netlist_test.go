package eal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	trial "github.com/hotline-rtl/hotline/hw/lib/bench"
	"github.com/hotline-rtl/hotline/sim/netlist/netlisttest"
)

func TestNetlists(t *testing.T) {
	for name, p := range map[string]arch.Params{"eal": tiny(), "eal_b8": params(8, 8, 2, 2, 13)} {
		d, err := hw.Elaborate(Of(p))
		require.NoError(t, err)
		netlisttest.Run(t, name, d, func(d *ir.Design) error { return compare(trial.Trial{TB: t}, d, p, 200, 1) })
	}
}
