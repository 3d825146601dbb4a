package skid_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	for i, g := range stages(8) {
		d, err := hw.Elaborate(g)
		require.NoError(t, err)
		yosystest.Run(t, []string{"skid", "skid_stage"}[i], d, 12, func(d *ir.Design, seed uint64) error { return check(d, 2-i, seed) })
	}
}
