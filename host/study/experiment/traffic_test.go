package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/cpuhotline"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/staticcache"
)

// everySystem returns a job of all systems with the functional model.
func everySystem(t *testing.T, change func(*configs.Config)) experiment.Job {
	j := functional(t, change)
	j.Systems = catalog.Systems()
	return j
}

// TestHits: the share of hits is consistent with the series and with the counts of the systems.
func TestHits(t *testing.T) {
	r := run(t, everySystem(t, nil))
	const lookups = 160 * 29
	counted := map[string]func(n map[string]int64) int64{
		"static-cache": func(n map[string]int64) int64 { return n[staticcache.CountHits] },
		"scratchpipe":  func(n map[string]int64) int64 { return n[scratchpipe.CountHits] },

		"scratchpipe-strawman": func(n map[string]int64) int64 { return n[scratchpipe.CountHits] },
		"scratchpipe-ideal":    func(n map[string]int64) int64 { return n[scratchpipe.CountHits] },
		"hotline":              func(n map[string]int64) int64 { return lookups - n[hotline.CountColdRows] },
		"fae":                  func(n map[string]int64) int64 { return n["popular inputs"] * 29 },
	}
	missed := map[string]string{"cdlrm": cdlrm.CountVictims, "cdlrm-paper": cdlrm.CountVictims, "cpu-hotline": cpuhotline.CountCold}
	none := []string{"hybrid", "hybrid-intel", "xdl", "hugectr", "elrec", "tt-rec"}
	for _, s := range r.Systems {
		if s.Hits == nil {
			require.Contains(t, none, s.System)
			continue
		}
		require.NotContains(t, none, s.System)
		sum, n := 0, map[string]int64{}
		for _, m := range s.Series {
			sum += *m.Hits
		}
		for _, c := range s.Counts {
			n[c.Label] = c.N
		}
		require.InDelta(t, float64(sum)/lookups, *s.Hits, 1e-12, s.System)
		require.Positive(t, sum, s.System)
		if of, ok := counted[s.System]; ok {
			require.EqualValues(t, of(n), sum, s.System)
		}
		if label, ok := missed[s.System]; ok { // rows; one or more lookups miss each of them
			require.GreaterOrEqual(t, int64(lookups-sum), n[label], s.System)
			require.Positive(t, n[label], s.System)
			require.LessOrEqual(t, int64(lookups-sum), 4*n[label], s.System)
		}
	}
}

// TestTraffic: the bytes on the links are consistent with the accelerator's report and do not
// depend on values, and neither does the memory in use.
func TestTraffic(t *testing.T) {
	r := run(t, everySystem(t, nil))
	j := everySystem(t, nil)
	j.Valueless = true
	without := run(t, j)
	links := func(s report.System) map[string]int64 {
		m := map[string]int64{}
		for _, l := range s.Links {
			m[l.Name] = l.Bytes
		}
		return m
	}
	for i, s := range r.Systems {
		require.Equal(t, s.Memory, without.Systems[i].Memory, s.System)
		if s.System == "hotline" {
			require.EqualValues(t, links(s)["to accelerator"], r.Accelerator.PCIeBytesDown)
			require.EqualValues(t, links(s)["from accelerator"], r.Accelerator.PCIeBytesUp)
		} else {
			require.Equal(t, s.Links, without.Systems[i].Links, s.System)
			require.Len(t, s.Links, 3)
		}
		require.Len(t, s.Memory, 1+r.GPUs)
		for _, u := range s.Memory {
			sum := uint64(0)
			for _, p := range u.Parts {
				sum += p.Bytes
			}
			require.Equal(t, u.Needs, sum, "%s, %s", s.System, u.Where)
			require.LessOrEqual(t, u.Needs, u.Has)
		}
	}
	// A pooled vector of 4 values for each of the 26 tables, in both directions.
	for _, way := range []string{"host to GPUs", "GPUs to host"} {
		require.EqualValues(t, 160*26*16, links(system(t, r, "hybrid"))[way])
	}
	require.Zero(t, links(system(t, r, "hugectr"))["host to GPUs"], "all rows are on the GPUs")
}
