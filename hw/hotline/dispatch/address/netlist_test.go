package address_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	d, err := hw.Elaborate(describe(dispatchtest.Tiny))
	require.NoError(t, err)
	yosystest.Run(t, "address_registers", d, 4, func(d *ir.Design, seed uint64) error { return check(d, dispatchtest.Tiny, seed) })
}
