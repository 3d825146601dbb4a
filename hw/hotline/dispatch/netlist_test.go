package dispatch_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	d, err := hw.Elaborate(dispatch.Of(dispatchtest.Tiny))
	require.NoError(t, err)
	yosystest.Run(t, "dispatch", d, 2, checkAll)
}
