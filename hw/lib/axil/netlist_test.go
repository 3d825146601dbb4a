package axil_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	yosystest.Run(t, "axil_slave", elaborate(t), 1, func(d *ir.Design, _ uint64) error { return checkAll(d) })
}
