package timingtest

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Total is the sum of the events of one resource and label.
type Total struct {
	Kernels int
	Bytes   int64
	Ms      float64
}

// Totals returns the total of each resource and label, such as "GPU: MLP", of works.
func Totals(t testing.TB, order timing.System, p timing.Plan, works []timing.Work) map[string]Total {
	_, line, err := timing.Trace(order, p, works, All)
	require.NoError(t, err)
	return TotalsOf(line)
}

// TotalsOf returns the totals of a timeline.
func TotalsOf(l *timeline.Timeline) map[string]Total {
	m := map[string]Total{}
	for _, e := range l.Events() {
		key := e.Resource + ": " + e.Label
		t := m[key]
		t.Kernels, t.Bytes, t.Ms = t.Kernels+e.Kernels, t.Bytes+e.Bytes, t.Ms+e.Work.Seconds()*1e3
		m[key] = t
	}
	for key, t := range m {
		t.Ms = math.Round(t.Ms*1e9) / 1e9
		m[key] = t
	}
	return m
}

// All records all mini-batches of a trace.
func All(int) bool { return true }

// RequireTotals compares all totals. Totals in leftOut must only exist. A time of 0 is not
// compared.
func RequireTotals(t testing.TB, want, got map[string]Total, leftOut ...string) {
	t.Helper()
	for _, key := range leftOut {
		require.Contains(t, got, key)
		delete(got, key)
	}
	RequireSome(t, want, got, 1e-3)
	for key := range want {
		delete(got, key)
	}
	require.Empty(t, got)
}

// RequireSome compares the wanted totals, times with a tolerance.
func RequireSome(t testing.TB, want, got map[string]Total, tolerance float64) {
	t.Helper()
	for key, w := range want {
		g := got[key]
		require.Equal(t, w.Kernels, g.Kernels, key)
		require.Equal(t, w.Bytes, g.Bytes, key)
		if w.Ms > 0 {
			require.InEpsilon(t, w.Ms, g.Ms, tolerance, key)
		}
	}
}
