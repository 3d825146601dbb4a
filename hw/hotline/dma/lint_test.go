package dma

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// The three readers of Verilog have nothing to say about the engines.
func TestVerilogToolsAreSilent(t *testing.T) {
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		read, err := hw.Elaborate(Read{p})
		require.NoError(t, err)
		write, err := hw.Elaborate(Write{p})
		require.NoError(t, err)
		verilogtest.Silent(t, read)
		verilogtest.Silent(t, write)
	}
}
