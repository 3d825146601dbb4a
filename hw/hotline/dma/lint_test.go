package dma

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// TestVerilogToolsAreSilent: the three Verilog tools report no warnings for the engines.
func TestVerilogToolsAreSilent(t *testing.T) {
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		reads, err := hw.Elaborate(read(p))
		require.NoError(t, err)
		writes, err := hw.Elaborate(write(p))
		require.NoError(t, err)
		verilogtest.Silent(t, reads)
		verilogtest.Silent(t, writes)
	}
}
