package input_test

import (
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
	// The minimum of two equal numbers.
	{"constant off by one", "left.Ge(hw.K(chunkWords)), hw.K(chunkWords), left"},
	{"ltu for leu", "left.Ge(hw.K(chunkWords)), hw.K(chunkWords), left"},
	{"constant off by one", "c.left.Ge(hw.K(most)), hw.K(most), c.left"},
	{"ltu for leu", "c.left.Ge(hw.K(most)), hw.K(most), c.left"},
	// Counts down instead of up to the same number, modulo twice the number.
	{"sub for add", "have.Set(have.Inc())"},
}

// TestBrokenPartsAreNoticed inserts faults into the blocks one after the other. The checks must
// detect each fault that changes the behaviour.
func TestBrokenPartsAreNoticed(t *testing.T) {
	for name, survivors := range map[string]func() []string{
		"edram": func() []string {
			return dispatchtest.Survivors(t, describeEDRAM, checkEDRAM, dispatchtest.Tiny, harmless)
		},
		"loader": func() []string {
			return dispatchtest.Survivors(t, describeLoader, checkLoader, dispatchtest.Tiny, harmless)
		},
		"classifier": func() []string {
			return dispatchtest.Survivors(t, describeClassifier, checkClassifier, dispatchtest.Many, harmless)
		},
		"bitmap": func() []string {
			return dispatchtest.Survivors(t, describeBitmapWriter, checkBitmapWriter, long, harmless)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Empty(t, survivors())
		})
	}
}

func TestRemovedResetsAreNoticed(t *testing.T) {
	try := func(d *ir.Design, err error, check func(*ir.Design, arch.Params, uint64) error, p arch.Params) {
		require.NoError(t, err)
		require.Empty(t, bench.Unreset(d, 64, func(seed uint64) error { return check(d, p, seed) }), d.Top.Name)
	}
	d, err := hw.Elaborate(describeLoader(dispatchtest.Tiny))
	try(d, err, checkLoader, dispatchtest.Tiny)
	d, err = hw.Elaborate(describeClassifier(dispatchtest.Many))
	try(d, err, checkClassifier, dispatchtest.Many)
	d, err = hw.Elaborate(describeBitmapWriter(dispatchtest.Tiny))
	try(d, err, checkBitmapWriter, dispatchtest.Tiny)
}
