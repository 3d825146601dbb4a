package reduce

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// The three readers of Verilog have nothing to say about the reducer.
func TestVerilogToolsAreSilent(t *testing.T) {
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		d, err := hw.Elaborate(sized(p))
		require.NoError(t, err)
		verilogtest.Silent(t, d)
	}
}
