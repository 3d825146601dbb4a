package arb_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/arb"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	d, err := hw.Elaborate(arb.RoundRobin{N: 5})
	require.NoError(t, err)
	yosystest.Run(t, "round_robin", d, 1, func(d *ir.Design, _ uint64) error { return checkRoundRobin(d, 5) })
	d, err = hw.Elaborate(arb.Mux[hw.Bits]{Of: hw.Width(24), N: 3})
	require.NoError(t, err)
	yosystest.Run(t, "packet_mux", d, 1, func(d *ir.Design, _ uint64) error { return checkMux(d, 3) })
}
