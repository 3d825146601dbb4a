package timing_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

// TestGoldenExchanges checks the exchange of hot rows on two GPUs: 8 listed rows of 16 bytes and an
// id of 8, or a table of 100 rows.
func TestGoldenExchanges(t *testing.T) {
	for kind, want := range map[string]float64{
		"sparse":    11 + 1.2, // half of 192 bytes at 80 bytes a us
		"broadcast": 11 + 20,
		"dense":     11 + 20, // twice half of 1600 bytes
		"gloo":      104 + 8, // 13 us a row, 24 bytes a us
	} {
		p := timingtest.TinyPlan(t, "hotline-2024-a", 2)
		p.Profile.HotExchange = kind
		got := timingtest.Phases(t, hotline.Order, p, []timing.Work{{Inputs: 8, Popular: 8, HotRows: 5, Listed: 8, HotTable: 100}})
		require.Equal(t, want, got["hot-row exchange"], kind)
	}
}

// TestTraceOfSome: a trace of some mini-batches has the same events and times as a trace of all.
func TestTraceOfSome(t *testing.T) {
	p := timingtest.Plan(t, "hotline-2024-a", "rm2", 4)
	w := timing.Work{Inputs: 4096, Popular: 3000, HotRows: 900, ColdRows: 500, Listed: 3000, HotTable: 10000, Own: hotline.Work{Classify: 9, Gather: 9, Update: 9}}
	works := []timing.Work{w, w, w, w}
	whole, everything, err := timing.Trace(hotline.Order, p, works, timingtest.All)
	require.NoError(t, err)
	run, line, err := timing.Trace(hotline.Order, p, works, func(m int) bool { return m == 2 })
	require.NoError(t, err)
	require.Equal(t, whole, run)
	var want []timeline.Event
	for _, e := range everything.Events() {
		if e.Flow == timing.Flow(2) {
			e.After = nil
			want = append(want, e)
		}
	}
	got := slices.Clone(line.Events())
	for i := range got {
		got[i].After = nil
	}
	require.NotEmpty(t, want)
	require.Equal(t, want, got)
	_, line, err = timing.Trace(hotline.Order, p, works, nil)
	require.NoError(t, err)
	require.Empty(t, line.Events())
}
