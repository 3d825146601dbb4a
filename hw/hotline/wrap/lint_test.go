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

// least returns the smallest sizes, for slow tools.
func least() arch.Params {
	return arch.Params{Engines: 4, Banks: 4, Blocks: 256, Ways: 2, TagBits: 13, QueueDepth: 2, Window: 8, Cache: 4,
		StreamBits: 128, ALUs: 4, VectorValues: 32, EDRAMWords: 256, Tags: 4, Slots: 4, Tables: 2, GPUs: 1}
}

// TestVerilogIsClean: the Verilog tools report no warnings, and every signal is read.
func TestVerilogIsClean(t *testing.T) {
	axi, err := hw.Elaborate(AXI{least()})
	require.NoError(t, err)
	pcie, err := hw.Elaborate(VerilogPCIe{least()})
	require.NoError(t, err)
	xdma, err := hw.Elaborate(XDMA{least()})
	require.NoError(t, err)
	for _, d := range []*ir.Design{axi, pcie, xdma} {
		verilogtest.Silent(t, d)
		require.Empty(t, ir.Unread(d))
	}
}

// TestEngines: all simulation engines, including Verilator and Icarus, agree on the engines of this
// package.
func TestEngines(t *testing.T) {
	hwtest.Run(t, axiRead{tiny()}, hwtest.Random(2000))
	hwtest.Run(t, axiWrite{tiny()}, hwtest.Random(2000))
	hwtest.Run(t, pcieRead{tiny()}, hwtest.Random(2000))
	hwtest.Run(t, pcieWrite{tiny()}, hwtest.Random(2000))
	hwtest.Run(t, channels{tiny()}, hwtest.Random(2000))
	hwtest.Run(t, userIRQ{}, hwtest.Random(2000))
}
