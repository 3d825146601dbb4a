package memory_test

import (
	"errors"
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
	p := dispatchtest.Tiny
	d, err := hw.Elaborate(describeWalker(p))
	run("memory_walker", d, err, checkWalker, p)
	d, err = hw.Elaborate(describeController(p))
	run("memory_controller", d, err, func(d *ir.Design, p arch.Params, seed uint64) error {
		return errors.Join(checkController(d, p, seed), checkOrder(d, p, seed))
	}, p)
	d, err = hw.Elaborate(describeReader(dispatchtest.Full))
	run("hot_set_reader", d, err, checkReader, dispatchtest.Full)
	d, err = hw.Elaborate(describePacker(p))
	run("packer", d, err, checkPacker, p)
}
