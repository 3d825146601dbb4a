package ram_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/ram"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	d, err := hw.Elaborate(ram.RAM[hw.Bits]{Of: hw.Width(8), Depth: 16})
	require.NoError(t, err)
	yosystest.Run(t, "ram", d, 1, func(d *ir.Design, _ uint64) error { return checkRAM(d, 16, 8) })
	d, err = hw.Elaborate(ram.SimpleDual[hw.Bits]{Of: hw.Width(8), Depth: 16})
	require.NoError(t, err)
	yosystest.Run(t, "ram_dual", d, 1, func(d *ir.Design, _ uint64) error { return checkDual(d, 16, 8) })
}
