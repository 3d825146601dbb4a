package experiment_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/node"
)

// TestSpeedUpRestsOn: without the work of a constant the speed-up is in fact where
// the report says that it would be.
func TestSpeedUpRestsOn(t *testing.T) {
	r := run(t, newJob(t, nil))
	require.False(t, r.TimeModel.Measured)
	require.InEpsilon(t, float64(r.TimeBaseline)/float64(r.TimeHotline), r.TimeModel.SpeedUp, 1e-6)
	without := map[string]func(m *node.Machine){
		"pageable_us":       func(m *node.Machine) { m.PageableUs = 1e-9 },
		"pageable_gb_per_s": func(m *node.Machine) { m.PageableGBPerSecond = 1e12 },
		"launch_us":         func(m *node.Machine) { m.LaunchUs = 1e-9 },
		"gemm_overhead_us":  func(m *node.Machine) { m.GEMMOverheadUs = 1e-9 },
	}
	require.Len(t, r.TimeModel.Constants, len(without))
	for _, c := range r.TimeModel.Constants {
		t.Run(c.Name, func(t *testing.T) {
			got := run(t, newJob(t, func(cfg *configs.Config) { without[c.Name](cfg.Machine) })).TimeModel.SpeedUp
			t.Logf("%v without %s: %v to %v", got, c.Name, c.Least, c.Most)
			require.GreaterOrEqual(t, got, c.Least-1e-3)
			require.LessOrEqual(t, got, c.Most+1e-3)
		})
	}

	// Two copies a table and GPU and mini-batch; the copies are one after another.
	pageable := r.TimeModel.Constants[0]
	require.InEpsilon(t, 2*2*26*36.1e6/float64(r.TimeBaseline), pageable.Baseline, 1e-6)
	require.Zero(t, pageable.Hotline)
	copies, gpu0, gpu0Hotline := node.Time(0), node.Time(0), node.Time(0)
	for _, u := range r.BusyBaseline {
		switch u.Resource {
		case "host-GPU copies":
			copies += u.Time
		case "GPU 0":
			gpu0 += u.Time
		}
	}
	for _, u := range r.BusyHotline {
		if u.Resource == "GPU 0" {
			gpu0Hotline += u.Time
		}
	}
	whole := float64(r.MiniBatches)
	require.InEpsilon(t, float64(copies)/whole, (pageable.Baseline+r.TimeModel.Constants[1].Baseline)*float64(r.TimeBaseline), 1e-6)
	require.Less(t, (r.TimeModel.Constants[2].Baseline+r.TimeModel.Constants[3].Baseline)*float64(r.TimeBaseline), float64(gpu0)/whole)
	made := (r.TimeModel.Constants[2].Hotline + r.TimeModel.Constants[3].Hotline) * float64(r.TimeHotline)
	require.Less(t, made, float64(gpu0Hotline)/whole)
	require.Greater(t, made, 0.9*float64(gpu0Hotline)/whole, "tiny products: nearly all is launches and overhead")
}

// TestSeries: the mini-batches add up to the run.
func TestSeries(t *testing.T) {
	r := run(t, newJob(t, nil))
	require.Len(t, r.SeriesBaseline, 5)
	require.Len(t, r.SeriesHotline, 5)
	inputs, popular, loss := 0, 0, 0.0
	for i, m := range r.SeriesHotline {
		inputs += m.Inputs
		popular += *m.Popular
		loss += float64(m.Loss) * float64(m.Inputs)
		require.Nil(t, r.SeriesBaseline[i].Popular)
		require.Equal(t, m.Loss, r.SeriesBaseline[i].Loss, "the models are the same")
	}
	require.Equal(t, r.Inputs, inputs)
	require.InEpsilon(t, r.PopularShare, float64(popular)/float64(inputs), 1e-9)
	require.InEpsilon(t, r.Loss, loss/float64(inputs), 1e-9)
	for _, s := range []struct {
		times []node.Time
		end   node.Time
		mean  node.Time
	}{
		{[]node.Time{r.SeriesBaseline[0].Time, r.SeriesBaseline[1].Time, r.SeriesBaseline[2].Time, r.SeriesBaseline[3].Time, r.SeriesBaseline[4].Time}, r.SeriesBaseline[4].End, r.TimeBaseline},
		{[]node.Time{r.SeriesHotline[0].Time, r.SeriesHotline[1].Time, r.SeriesHotline[2].Time, r.SeriesHotline[3].Time, r.SeriesHotline[4].Time}, r.SeriesHotline[4].End, r.TimeHotline},
	} {
		sum := node.Time(0)
		for _, d := range s.times {
			require.Positive(t, d)
			sum += d
		}
		require.Equal(t, s.end, sum)
		require.InEpsilon(t, float64(5*s.mean), float64(sum), 0.02)
	}
	require.Empty(t, r.CountsBaseline)
	counts := map[string]int64{}
	for _, c := range r.CountsHotline {
		counts[c.Label] = c.N
	}
	require.Equal(t, int64(popular), counts["popular inputs"])
	require.Positive(t, counts["rows moved to GPUs"])
	require.Positive(t, counts["rows moved to host"])
}
