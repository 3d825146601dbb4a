package fp32_test

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/netlist/netlisttest"
)

func TestNetlists(t *testing.T) {
	sums := append(allPairs(special()), nearby(5000)...)
	netlisttest.Run(t, "fp32_add", adder.elaborate(t), 1, func(d *ir.Design, _ uint64) error { return adder.check(d, sums, true) })
	products := append(allPairs(special()), smallProducts(5000)...)
	netlisttest.Run(t, "fp32_mul", multiplier.elaborate(t), 1, func(d *ir.Design, _ uint64) error { return multiplier.check(d, products, true) })
}
