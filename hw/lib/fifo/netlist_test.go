package fifo_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/fifo"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	d := elaborate(t, fifo.FIFO[hw.Bits]{Of: hw.Width(8), Depth: 5})
	yosystest.Run(t, "fifo", d, 12, func(d *ir.Design, seed uint64) error { return check(d, 5, seed) })
	d = elaborate(t, fifo.BlockFIFO[hw.Bits]{Of: hw.Width(8), Depth: 5})
	yosystest.Run(t, "block_fifo", d, 12, func(d *ir.Design, seed uint64) error { return check(d, 6, seed) })
}
