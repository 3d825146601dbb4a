package reduce

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// TestVerilogToolsAreSilent: the three Verilog tools report no warnings for the reducer.
func TestVerilogToolsAreSilent(t *testing.T) {
	for _, p := range []arch.Params{arch.Small(), arch.Paper()} {
		d, err := hw.Elaborate(sized(p))
		require.NoError(t, err)
		verilogtest.Silent(t, d)
	}
}
