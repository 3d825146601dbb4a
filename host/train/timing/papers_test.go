package timing_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// model is one of those of FAE and Hotline. Table sizes play no part in time.
func model(name string) dlrm.Config {
	m := dlrm.Config{Name: name, LearningRate: 0.1}
	tables := 26
	switch name {
	case "rm1":
		m.Kind, m.Steps, m.Dense, m.Dim, tables = dlrm.TBSM, 21, 1, 16, 3
		m.Bottom, m.Top, m.Attention, m.Head = []int{1, 16}, []int{15, 15}, []int{15, 15, 20}, []int{60, 1}
		m.Optimiser = dlrm.Adagrad
	case "rm2":
		m.Dense, m.Dim, m.Bottom, m.Top = 13, 16, []int{13, 512, 256, 64, 16}, []int{512, 256, 1}
	case "rm3":
		m.Dense, m.Dim, m.Bottom, m.Top = 13, 64, []int{13, 512, 256, 64}, []int{512, 512, 256, 1}
	case "rm4":
		m.Dense, m.Dim, m.Bottom, m.Top, tables = 1, 16, []int{1, 512, 256, 64, 16}, []int{512, 256, 1}, 21
	}
	for i := range tables {
		m.Tables = append(m.Tables, dlrm.Table{Name: fmt.Sprintf("t%d", i), Rows: 1000, Lookups: 1})
	}
	return m
}

func plan(t *testing.T, profile, name string, gpus int) timing.Plan {
	p, err := timing.LoadProfile(profile)
	require.NoError(t, err)
	return timing.Plan{Machine: machine.Default(), Profile: p, Model: model(name), GPUs: gpus, Nodes: 1}
}

// perBatch is the time of a mini-batch in the second half of a run, in ms.
func perBatch(t *testing.T, system timing.System, p timing.Plan, works []timing.Work) float64 {
	run, err := timing.Time(system, p, works)
	require.NoError(t, err)
	n := len(run.Ends)
	return (run.Ends[n-1] - run.Ends[n/2-1]).Seconds() * 1e3 / float64(n-n/2)
}

func repeat(w timing.Work, n int) []timing.Work {
	works := make([]timing.Work, n)
	for i := range works {
		works[i] = w
	}
	return works
}

// perGPU is the mini-batch of the papers for one GPU.
const perGPU = 1024

// FAE's absolute times (Table 5 over ten epochs, weak scaling), of which nothing
// was fitted: with its release's software, the cold share that its Table 7
// implies, and the hot tables that it states (Kaggle 6.8 % of the rows, Terabyte
// the 256 MB of the release, Avazu not stated: as Kaggle).
func TestFAETimes(t *testing.T) {
	for _, c := range []struct {
		model      string
		cold       float64
		hotMB      int
		paper      [3]float64 // ms a mini-batch on 1, 2 and 4 GPUs
		tolerances [3]float64
	}{
		{"rm2", 0.240, 147, [3]float64{19.2, 36.4, 65.5}, [3]float64{0.25, 0.25, 0.25}},
		{"rm3", 0.184, 256, [3]float64{19.3, 40.9, 63.6}, [3]float64{0.25, 0.25, 0.33}},
		{"rm4", 0.258, 40, [3]float64{13.7, 23.9, 46.5}, [3]float64{0.25, 0.25, 0.25}},
	} {
		for i, gpus := range []int{1, 2, 4} {
			p := plan(t, "fae-2022", c.model, gpus)
			inputs := perGPU * gpus
			hot := perBatch(t, timing.FAE, p, repeat(timing.Work{Inputs: inputs, HotTable: c.hotMB * 1e6 / 4 / p.Model.Dim}, 10))
			cold := perBatch(t, timing.FAE, p, repeat(timing.Work{Inputs: inputs, Cold: true}, 10))
			ours := c.cold*cold + (1-c.cold)*hot
			t.Logf("%s, %d GPUs: %.1f ms, paper %.1f", c.model, gpus, ours, c.paper[i])
			require.InEpsilon(t, c.paper[i], ours, c.tolerances[i], "%s, %d GPUs", c.model, gpus)
		}
	}
}

// The copies of FAE Table 6, DLRM column. Rows of one GPU are calibrated; those of
// 2 and 4 are held out.
func TestFAECopies(t *testing.T) {
	for _, c := range []struct {
		model string
		paper [3]float64
	}{{"rm2", [3]float64{3.45, 7.23, 11.3}}, {"rm3", [3]float64{7.72, 18.9, 19.7}}, {"rm4", [3]float64{2.65, 4.82, 9.08}}} {
		for i, gpus := range []int{1, 2, 4} {
			p := plan(t, "fae-2022", c.model, gpus)
			run, err := timing.Time(timing.Hybrid, p, []timing.Work{{Inputs: perGPU * gpus}})
			require.NoError(t, err)
			ours := phase(run, "copies").Seconds() * 1e3
			t.Logf("%s, %d GPUs: %.2f ms, paper %.2f", c.model, gpus, ours, c.paper[i])
			tolerance := 0.3
			if gpus == 1 {
				tolerance = 0.04
			}
			require.InEpsilon(t, c.paper[i], ours, tolerance, "%s, %d GPUs", c.model, gpus)
		}
	}
}

func phase(r timing.Run, label string) des.Time {
	for _, p := range r.Phases {
		if p.Label == label {
			return p.Time
		}
	}
	return 0
}

// Hotline Figure 3: embedding, optimiser and communication take up to 75 % of a
// mini-batch of Terabyte on 4 GPUs, which the loader is no part of.
func TestHotlineFigure3(t *testing.T) {
	p := plan(t, "hotline-2024-a", "rm3", 4)
	run, err := timing.Time(timing.Hybrid, p, []timing.Work{{Inputs: 4 * perGPU}})
	require.NoError(t, err)
	share := (phase(run, "copies") + phase(run, "CPU embedding")).Seconds() / (run.Time - phase(run, "loading inputs")).Seconds()
	t.Logf("%.0f %%", 100*share)
	require.InDelta(t, 0.7, share, 0.1)
}

// Slices in a cache take the time of their products' operations only, and pooled misses are fewer
// copies: a bag's, not its rows'. A file that says neither has the first of each.
func TestReadings(t *testing.T) {
	of := func(system timing.System, p timing.Plan, w timing.Work) map[string]total {
		_, line, err := timing.Trace(system, p, []timing.Work{w}, all)
		require.NoError(t, err)
		return totals(line)
	}
	p := plan(t, "hotline-2024-b", "rm2", 1)
	require.Equal(t, []string{"memory", "rows"}, []string{p.Profile.Slices, p.Profile.Misses})
	tt := timing.TT{Dims: [3]int{2, 4, 2}, Rank: 32, Values: 1_000_000, Bags: 1, Queue: 2}
	w := timing.Work{Inputs: 2048, TTLookups: 10240, TTPrefixes: 3000, TTRows: 5000, TTBackward: 4000, Missed: 900, ColdCopies: 900, MissedBags: 300}
	before, missed := of(timing.ELRec(tt), p, w), of(timing.StaticCache, p, w)
	require.EqualValues(t, 900*64, missed["pageable copies: missed rows"].bytes)
	p.Profile.Slices, p.Profile.Misses = "cache", "pooled"
	after, pooled := of(timing.ELRec(tt), p, w), of(timing.StaticCache, p, w)
	require.EqualValues(t, 300*64, pooled["pageable copies: missed rows"].bytes)
	operations := p.Machine.GEMMOverheadUs/1e3 + (2*3000*2*128*32*1e-9+p.Machine.GEMMHeadGFLOP)/p.Machine.GEMMTFLOPS
	require.InEpsilon(t, operations, after["GPU: two TT slices"].ms, 1e-3)
	require.Less(t, after["GPU: two TT slices"].ms, before["GPU: two TT slices"].ms)
	require.Less(t, after["GPU: TT gradients"].ms, before["GPU: TT gradients"].ms/2)
	require.Equal(t, before["GPU: pool TT rows"], after["GPU: pool TT rows"])
}
