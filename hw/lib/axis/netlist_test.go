package axis_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	d, err := hw.Elaborate(slice(sizes{8, 5}))
	require.NoError(t, err)
	yosystest.Run(t, "axis_slice", d, 1, func(d *ir.Design, _ uint64) error { return check(d) })
}
