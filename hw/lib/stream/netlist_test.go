package stream_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

// TestNetlists tests the functions that describe logic. The packages of other modules test these
// modules.
func TestNetlists(t *testing.T) {
	for _, c := range trials {
		if c.merges || c.kind == "stage" || c.kind == "buffer" {
			continue
		}
		d, err := hw.Elaborate(of(c.kind))
		require.NoError(t, err)
		yosystest.Run(t, "stream_"+c.kind, d, 1, func(d *ir.Design, _ uint64) error { return c.check(d) })
	}
}
