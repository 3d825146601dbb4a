package div_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/netlist/netlisttest"
)

func TestNetlists(t *testing.T) {
	netlisttest.Run(t, "divider", elaborate(t, 8), func(d *ir.Design) error { return check(d, 8, 1) })
}
