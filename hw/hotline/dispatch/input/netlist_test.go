package input_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/yosys/yosystest"
)

func TestNetlists(t *testing.T) {
	run := func(name string, d *ir.Design, err error, check func(*ir.Design, arch.Params, uint64) error, p arch.Params) {
		require.NoError(t, err)
		yosystest.Run(t, name, d, 8, func(d *ir.Design, seed uint64) error { return check(d, p, seed) })
	}
	d, err := hw.Elaborate(describeEDRAM(dispatchtest.Tiny))
	run("input_edram", d, err, checkEDRAM, dispatchtest.Tiny)
	d, err = hw.Elaborate(describeLoader(dispatchtest.Tiny))
	run("input_loader", d, err, checkLoader, dispatchtest.Tiny)
	d, err = hw.Elaborate(describeClassifier(dispatchtest.Many))
	run("input_classifier", d, err, checkClassifier, dispatchtest.Many)
	d, err = hw.Elaborate(describeBitmapWriter(long))
	run("bitmap_writer", d, err, checkBitmapWriter, long)
}
