package dispatch

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/lib/bench"
)

func TestRemovedResetsAreNoticed(t *testing.T) {
	tried := []string{}
	try := func(d *ir.Design, err error, check func(*ir.Design, arch.Params, uint64) error, p arch.Params, unnoticed ...string) {
		require.NoError(t, err)
		require.ElementsMatch(t, unnoticed, bench.Unreset(d, 64, func(seed uint64) error { return check(d, p, seed) }), d.Top.Name)
		for _, m := range d.Modules {
			tried = append(tried, m.Name)
		}
	}
	d, err := hw.Elaborate(describeRegisters(tiny))
	try(d, err, checkRegisters, tiny)
	d, err = hw.Elaborate(describeLoader(tiny))
	try(d, err, checkLoader, tiny)
	d, err = hw.Elaborate(describeClassifier(many))
	try(d, err, checkClassifier, many)
	d, err = hw.Elaborate(describeWalker(tiny))
	try(d, err, checkWalker, tiny)
	d, err = hw.Elaborate(describeController(tiny))
	// The stages beside the permutation say what is valid.
	try(d, err, checkController, tiny, "randomizer_w13.stage1_valid", "randomizer_w13.stage2_valid", "randomizer_w13.stage3_valid", "randomizer_w13.stage4_valid")
	d, err = hw.Elaborate(describeHotSet(tiny))
	try(d, err, checkHotSet, tiny)
	d, err = hw.Elaborate(describePacker(tiny))
	try(d, err, checkPacker, tiny)
	d, err = hw.Elaborate(describeBitmapWriter(tiny))
	try(d, err, checkBitmapWriter, tiny)

	// What no unit has.
	d, err = hw.Elaborate(describeDispatch(tiny))
	require.NoError(t, err)
	rest := &ir.Design{Top: d.Top}
	for _, m := range d.Modules {
		if !slices.Contains(tried, m.Name) {
			rest.Modules = append(rest.Modules, m)
		}
	}
	// Nothing is asked of them before s_wr of registers 220 and 222 clears them.
	require.Equal(t, []string{"dispatch.vector_held", "dispatch.inputs_held"}, bench.Unreset(rest, 16, func(seed uint64) error { return checkDispatch(d, tiny, seed) }))
}
