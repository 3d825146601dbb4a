package wrap

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// TestPortsHaveComments: each port of each block and wrapper has a comment in the Verilog.
func TestPortsHaveComments(t *testing.T) {
	axi, err := hw.Elaborate(AXI{least()})
	require.NoError(t, err)
	pcie, err := hw.Elaborate(VerilogPCIe{least()})
	require.NoError(t, err)
	xdma, err := hw.Elaborate(XDMA{least()})
	require.NoError(t, err)
	for _, d := range []*ir.Design{axi, pcie, xdma} {
		require.Empty(t, verilogtest.Unexplained(d.Modules...))
	}
	axi.Top.Port("irq_ack").Doc = ""
	require.Equal(t, []string{"hotline_axi.irq_ack"}, verilogtest.Unexplained(axi.Modules...))
}
