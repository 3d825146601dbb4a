package top

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// TestVerilogIsClean: the Verilog tools report no warnings. Package verilog tests the shipped
// configurations.
func TestVerilogIsClean(t *testing.T) {
	for name, p := range map[string]arch.Params{"wide": sizes[1].Params} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := hw.Elaborate(Hotline{p})
			require.NoError(t, err)
			verilogtest.Silent(t, d)
		})
	}
}
