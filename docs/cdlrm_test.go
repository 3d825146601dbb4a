package docs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/registry"
)

// cached runs cdlrm or the program that its authors released, without values, on samples with the
// statistics of the Kaggle log.
func cached(t *testing.T, system, profile string, gpus, batch, batches int, o cdlrm.Options) report.System {
	c := configs.Small()
	c.Model.Dim, c.Model.Bottom, c.Model.Top = 64, []int{512, 256}, []int{512, 512, 256}
	c.Training.GPUs, c.Training.Batch, c.Training.Batches = gpus, batch, batches
	c.Options["cdlrm"] = &o
	require.NoError(t, c.SetProfile(profile))
	clicks, _, err := experiment.OpenData(t.Context(), "gen:kaggle", c.Training.Seed, clicklog.Options{})
	require.NoError(t, err)
	systems, err := registry.Choose(catalog.Systems(), system)
	require.NoError(t, err)
	r, err := experiment.Run(t.Context(), experiment.Job{Config: c, Data: clicks, Systems: systems, Valueless: true})
	require.NoError(t, err)
	return r.Systems[0]
}

// counted returns a count of a run.
func counted(s report.System, label string) float64 {
	for _, c := range s.Counts {
		if c.Label == label {
			return float64(c.N)
		}
	}
	return 0
}

// took returns the time of the given phases per mini-batch in ms, or the total time if none are
// given.
func took(s report.System, phases ...string) float64 {
	sum := 0.0
	for _, p := range s.Phases {
		for _, name := range phases {
			if p.Label == name {
				sum += p.Time.Seconds()
			}
		}
	}
	if len(phases) == 0 {
		sum = s.Time.Seconds()
	}
	return 1e3 * sum / float64(s.MiniBatches)
}

// requireTable requires a table in systems/cdlrm.md.
func requireTable(t *testing.T, rows []string) {
	t.Helper()
	require.Contains(t, read(t, "explanation/systems/cdlrm.md"), strings.Join(rows, "\n")+"\n")
}

func row(cells ...string) string { return "| " + strings.Join(cells, " | ") + " |" }

// TestCDLRMCaches checks the time per mini-batch by window and cache size (Fig. 3 of the paper).
func TestCDLRMCaches(t *testing.T) {
	var rows []string
	for _, sets := range []int{50, 500, 5000} {
		hits, caching, whole := 2.0, 1e9, 1e9 // values of the next shorter window
		for _, window := range []int{1, 4, 16} {
			s := cached(t, "cdlrm", "fae-2022", 1, 2048, 32, cdlrm.Options{Window: window, Sets: sets})
			h, c, w := 1-counted(s, cdlrm.CountVictims)/counted(s, cdlrm.CountReads), took(s, "caching", "cache broadcast"), took(s)-took(s, "waiting for look-ahead")
			require.Less(t, h, hits)
			require.Less(t, c, caching)
			if sets == 5000 {
				require.Less(t, w, whole)
			}
			hits, caching, whole = h, c, w
			rows = append(rows, row(fmt.Sprint(sets), fmt.Sprint(window), fmt.Sprintf("%.1f %%", 100*h), fmt.Sprintf("%.1f", w), fmt.Sprintf("%.2f", c), fmt.Sprintf("%.2f", took(s, "victims"))))
		}
	}
	requireTable(t, rows)
}

// TestCDLRMShare checks the share of caching in the total time by number of GPUs (Fig. 4b).
func TestCDLRMShare(t *testing.T) {
	var rows []string
	for _, gpus := range []int{1, 2, 4, 8} {
		s := cached(t, "cdlrm", "hotline-2024-b", gpus, 4096, 20, cdlrm.Options{Window: 10, Sets: 5000})
		for _, p := range s.Phases {
			require.True(t, p.Label != "GPU" || p.BoundBy == "host thread", "which dispatches")
		}
		cells := []string{fmt.Sprint(gpus)}
		for _, phase := range []string{"caching", "cache broadcast", "cache average"} {
			cells = append(cells, fmt.Sprintf("%.0f %%", 100*took(s, phase)/took(s)))
		}
		rows = append(rows, row(cells...))
	}
	requireTable(t, rows)
}

// TestCDLRMAges checks the ages of the rows that the released program reads.
func TestCDLRMAges(t *testing.T) {
	var rows []string
	for _, sets := range []int{50, 500, 5000} {
		s := cached(t, "cdlrm-paper", "fae-2022", 1, 512, 60, cdlrm.Options{Window: 10, Sets: sets})
		require.Greater(t, counted(s, cdlrm.CountLost), 4*counted(s, cdlrm.CountOld))
		cells := []string{fmt.Sprint(sets), fmt.Sprint(counted(s, cdlrm.CountOld)), fmt.Sprint(counted(s, cdlrm.CountLost))}
		for _, label := range []string{cdlrm.CountAge1, cdlrm.CountAge2, cdlrm.CountAge4, cdlrm.CountAge8, cdlrm.CountAgeMore} {
			cells = append(cells, fmt.Sprintf("%.2f %%", 100*counted(s, label)/counted(s, cdlrm.CountReads)))
		}
		rows = append(rows, row(cells...))
	}
	requireTable(t, rows)
}
