package randomizer

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/gen/verilog/verilogtest"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// TestVerilogIsClean: the Verilog tools report no warnings.
func TestVerilogIsClean(t *testing.T) {
	small, paper := arch.Small().IDBits(), arch.Paper().IDBits()
	for _, g := range []Randomizer{{Width: small}, {Width: small, Inverse: true}, {Width: paper}, {Width: paper, Inverse: true}} {
		d, err := hw.Elaborate(g)
		require.NoError(t, err)
		t.Run(d.Top.Name, func(t *testing.T) {
			t.Parallel()
			verilogtest.Silent(t, d)
		})
	}
}
