package fp32_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/fp32/fp32test"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	sums := append(borders(), drawn(5000, fp32test.Nearby)...)
	yosystest.Run(t, "fp32_add", adder.elaborate(t), 1, func(d *ir.Design, _ uint64) error { return adder.check(d, sums, true) })
	products := append(borders(), drawn(5000, fp32test.SmallProducts)...)
	yosystest.Run(t, "fp32_mul", multiplier.elaborate(t), 1, func(d *ir.Design, _ uint64) error { return multiplier.check(d, products, true) })
}
