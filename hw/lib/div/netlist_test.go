package div_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	yosystest.Run(t, "divider", elaborate(t, 8), 4, func(d *ir.Design, seed uint64) error { return check(d, 8, seed) })
}
