package arithmetic

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/interp"
)

func design(t *testing.T) *ir.Design {
	d, err := hw.Elaborate(units{lanes})
	require.NoError(t, err)
	return d
}

// TestCampaign runs a short campaign with the compiled model. Its pairs include all pairs of
// numbers at the borders of the format.
func TestCampaign(t *testing.T) {
	var out strings.Builder
	require.NoError(t, Run(200_000, 1, &out), out.String())
	require.Contains(t, out.String(), "| borders of the format | 40000 | 0 | 0 |\n| all | 200000 | 0 | 0 |\n")
}

// TestWrongUnits checks that a stuck register fails the campaign, and that the differences are
// reported with their operands.
func TestWrongUnits(t *testing.T) {
	for module, register := range map[string]string{"fp32_add": "s4_sign", "fp32_mul": "s1_first_sig"} {
		d := design(t)
		bench.Stick(d, module, register)
		s, err := interp.New(d)
		require.NoError(t, err)
		var out strings.Builder
		require.EqualError(t, campaign(s, 1000, 1, &out), "units and host differ", module)
		require.Regexp(t, `(?m)^[0-9a-f]{8} [+*] [0-9a-f]{8} is [0-9a-f]{8}, want [0-9a-f]{8}$`, out.String())
	}
}
