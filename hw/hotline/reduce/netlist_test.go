package reduce

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	p := tiny()
	d, err := hw.Elaborate(sized(p))
	require.NoError(t, err)
	yosystest.Run(t, "reduce", d, 3, func(d *ir.Design, seed uint64) error { return checkAll(d, p, seed) })
}
