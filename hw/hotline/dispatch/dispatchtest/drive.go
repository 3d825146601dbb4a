package dispatchtest

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

// Pulse runs a cycle with a bit at 1.
func Pulse(b *bench.Bench, bit hw.Bits) error {
	bit.Poke(1)
	err := b.Cycle()
	bit.Poke(0)
	return err
}

// Poke drives the elements of a vector.
func Poke(v hw.Vec, xs []uint64) {
	for i, x := range xs {
		v.N(i).Poke(x)
	}
}

// Quiet expects that nothing changes while nothing arrives.
func Quiet(b *bench.Bench) error {
	for range 2 {
		if err := b.Sim.Step(); err != nil {
			return err
		}
	}
	if !b.Sim.Quiet() {
		return fmt.Errorf("registers change while nothing arrives")
	}
	return nil
}

// Show drives the blocks of a scan.
func Show(scan eal.Scan, set []eal.Entry) {
	for w, b := range set {
		block := scan.Blocks.N(w)
		block.Valid.Poke(bench.Bit(b.Valid))
		block.RRPV.Poke(b.RRPV)
		block.Tag.Poke(uint64(b.Tag))
	}
}
