package memory_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// harmless lists the faults that do not change the behaviour.
var harmless = dispatchtest.Harmless{
	// Visits one more word of the bitmap, which has no inputs.
	{"constant off by one", "ElseWhen(w.left.Le(hw.K(sizes.WordBits))"},
	{"ltu for leu", "ElseWhen(w.left.Le(hw.K(sizes.WordBits))"},
	// Counts down instead of up to the same number, modulo twice the number.
	{"sub for add", "have.Set(have.Inc())"},
}

// TestBrokenPartsAreNoticed inserts faults into the blocks one after the other. The checks must
// detect each fault that changes the behaviour.
func TestBrokenPartsAreNoticed(t *testing.T) {
	for name, survivors := range map[string]func() []string{
		"walker": func() []string {
			return dispatchtest.Survivors(t, describeWalker, checkWalker, dispatchtest.Tiny, harmless)
		},
		"controller": func() []string {
			return dispatchtest.Survivors(t, describeController, func(d *ir.Design, p arch.Params, seed uint64) error {
				return errors.Join(checkController(d, p, seed), checkOrder(d, p, seed))
			}, dispatchtest.Tiny, harmless)
		},
		"reader": func() []string {
			return dispatchtest.Survivors(t, describeReader, checkReader, dispatchtest.Full, harmless)
		},
		"packer": func() []string {
			return dispatchtest.Survivors(t, describePacker, checkPacker, dispatchtest.Tiny, harmless)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, survivors())
		})
	}
}

func TestRemovedResetsAreNoticed(t *testing.T) {
	p := dispatchtest.Tiny
	try := func(d *ir.Design, err error, check func(*ir.Design, arch.Params, uint64) error, unnoticed ...string) {
		require.NoError(t, err)
		require.ElementsMatch(t, unnoticed, bench.Unreset(d, 64, func(seed uint64) error { return check(d, p, seed) }), d.Top.Name)
	}
	d, err := hw.Elaborate(describeWalker(p))
	try(d, err, checkWalker)
	d, err = hw.Elaborate(describeController(p))
	// The stages parallel to the permutation carry the valid bit.
	try(d, err, checkController, "randomizer.stage1_valid", "randomizer.stage2_valid", "randomizer.stage3_valid", "randomizer.stage4_valid")
	d, err = hw.Elaborate(describeReader(p))
	try(d, err, checkReader)
	d, err = hw.Elaborate(describePacker(p))
	try(d, err, checkPacker)
}
