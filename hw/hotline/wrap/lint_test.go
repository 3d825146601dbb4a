package wrap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/hwtest"
)

// The readers of Verilog have nothing to say, and no connection is forgotten.
func TestVerilogIsClean(t *testing.T) {
	d, err := hw.Elaborate(AXI{small()})
	require.NoError(t, err)
	verilogtest.Silent(t, d)
	require.Empty(t, ir.Unread(d))
}

// Nor of the engines as wide as those of the paper.
func TestVerilogOfTheEnginesIsClean(t *testing.T) {
	read, err := hw.Elaborate(axiRead{arch.Paper().Link()})
	require.NoError(t, err)
	verilogtest.Silent(t, read)
	write, err := hw.Elaborate(axiWrite{arch.Paper().Link()})
	require.NoError(t, err)
	verilogtest.Silent(t, write)
}

// All engines of the simulation agree on them, Verilator and Icarus among these.
func TestEngines(t *testing.T) {
	hwtest.Run(t, axiRead{tiny()}, hwtest.Random(2000))
	hwtest.Run(t, axiWrite{tiny()}, hwtest.Random(2000))
}
