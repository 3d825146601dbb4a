package xbar_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/xbar"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	p := xbar.Xbar[hw.Bits]{Of: hw.Width(16), Sources: 9, Dests: 4, Groups: 3, Depth: 2}
	yosystest.Run(t, "xbar", elaborate(t, p), 1, func(d *ir.Design, _ uint64) error { return checkAll(d, p) })
}
