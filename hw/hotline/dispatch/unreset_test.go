package dispatch_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch/dispatchtest"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bench"
)

// TestRemovedResetsAreNoticed covers the top module and its FIFOs; the blocks have tests of their
// own.
func TestRemovedResetsAreNoticed(t *testing.T) {
	d, err := hw.Elaborate(describeDispatch(dispatchtest.Tiny))
	require.NoError(t, err)
	rest := &ir.Design{Top: d.Top}
	for _, m := range d.Modules {
		if m == d.Top || strings.Contains(m.Name, "fifo_") {
			rest.Modules = append(rest.Modules, m)
		}
	}
	// Unused until s_wr of registers 220 and 222 clears them.
	unnoticed := bench.Unreset(rest, 16, func(seed uint64) error { return checkDispatch(d, dispatchtest.Tiny, seed) })
	require.Equal(t, []string{d.Top.Name + ".held_vector", d.Top.Name + ".held_inputs"}, unnoticed)
}
