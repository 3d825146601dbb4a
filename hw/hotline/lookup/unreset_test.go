package lookup

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/hw"
	trial "github.com/hotline-rtl/hotline/sim/bench"
)

func TestRemovedResetsAreNoticed(t *testing.T) {
	d, err := hw.Elaborate(Of(tiny))
	require.NoError(t, err)
	unnoticed := trial.Unreset(d, 16, func(seed uint64) error { return compare(trial.Trial{TB: t}, d, tiny, 100, int64(seed)) })
	for i, name := range unnoticed {
		module, register, _ := strings.Cut(name, ".")
		unnoticed[i] = block(module) + "." + register
	}
	require.Equal(t, []string{
		// The start of a run sets them or clears the cache, and they are unused before.
		"lookup_window.leave_count", "lookup_walk.next_row", "lookup_walk.next_slot",
		"lookup_cache.look_valid", "lookup_cache.entered", "lookup_cache.filling", "lookup_cache.pointer",
		// They leave with lookups that the pipeline parallel to the cache marks as invalid.
		"lookup_cache.hit2", "lookup_cache.hit3", "lookup_cache.hit4",
		// The start of a run clears them.
		"lookup_cache.live", "lookup_cache.sticky",
		// Describes a cycle without a run.
		"lookup_engine.window_stalled",
		// The start of a run sets them.
		"lookup_engine.reached_row", "lookup.least_of_2", "lookup.least_of_4", "lookup.settle", "lookup.run_words",
	}, unnoticed)
}
