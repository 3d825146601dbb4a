package fae_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

// TestGoldenTimelines compares with timelines that were computed by hand, in microseconds, for
// timingtest.Tiny.
func TestGoldenTimelines(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "FAE", Order: fae.Order, Profile: "fae-2022", GPUs: 2, Works: []timing.Work{{Inputs: 8, Own: fae.Work{Cold: true, Logged: 6, Scanned: 50, Classified: 120}}, {Inputs: 8, HotTable: 10, Promoted: 3}, {Inputs: 8, Demoted: 3, Own: fae.Work{Cold: true}}}, Want: map[string]float64{
			// 6 inputs of 2 lookups of 0.5; 50 rows; 120 inputs.
			"profiling":      6 + 25 + 120,
			"loading inputs": 3 * 40,
			"CPU embedding":  2 * 76.5,
			"copies":         2 * 74,
			// 30 operators where rows are on the GPU.
			"GPU": 2*360 + 450,
			// 12 and the replicas' 200; 8 operators.
			"all-reduce": 212,
			"optimiser":  2*253 + 120,
			// 10 rows of 16 bytes.
			"hot-row exchange": 11 + 2,
			// 7 x 1.5 of the host, 48 bytes to each GPU, and an operator that scatters them;
			// one that collects them, 7 of the host, and 48 bytes from one GPU.
			"hot-row copies": 16.5 + 15 + 15 + 10,
		}},
	})
}

// TestGoldenStates checks the same with Adagrad.
func TestGoldenStates(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "FAE", Order: fae.Order, Profile: "fae-2022", GPUs: 1, Adagrad: true, Works: []timing.Work{{Inputs: 8, HotTable: 10, Listed: 9, Promoted: 2}}, Want: map[string]float64{
			// Rows and states: 14 of the host, 64 bytes, 2 operators.
			"hot-row copies": 14 + 4 + 20,
			"loading inputs": 40,
			// 10 operators of the embedding.
			"GPU": 300,
			// 20, and 3 a table of the states of rows.
			"optimiser": 260,
		}},
	})
}

func TestTimesAddUp(t *testing.T) {
	timingtest.AddsUp(t, fae.Order, func(t *rapid.T) any {
		return fae.Work{
			Cold: rapid.Bool().Draw(t, "cold"), Logged: timingtest.Count(t, 9999, "logged"), Scanned: timingtest.Count(t, 9999, "scanned"),
			Classified: timingtest.Count(t, 9999, "classified"),
		}
	})
}

// TestNothingOfSwapsIsLost checks the rows of FAE's swaps, to both GPUs and from one GPU.
func TestNothingOfSwapsIsLost(t *testing.T) {
	for optimiser, tables := range map[dlrm.Optimiser]int{dlrm.SGD: 1, dlrm.Adagrad: 2} {
		p := timingtest.Plan(t, "sceptic", "rm2", 2)
		p.Model.Optimiser = optimiser
		got := timingtest.Totals(t, fae.Order, p, []timing.Work{{Inputs: 2048, Own: fae.Work{Cold: true}}, {Inputs: 2048, Promoted: 4000, HotTable: 4000, Listed: 3000}, {Inputs: 2048, Demoted: 3000, Own: fae.Work{Cold: true}}})
		rows := int64(64 * tables)
		require.Equal(t, timingtest.Total{Bytes: 4000 * rows, Ms: math.Round(2*float64(4000*rows)/51e6*1e9) / 1e9}, got["CPU: collect rows"])
		require.Equal(t, timingtest.Total{Bytes: 3000 * rows, Ms: math.Round(2*float64(3000*rows)/51e6*1e9) / 1e9}, got["CPU: scatter rows"])
		require.Equal(t, 2*4000*rows, got["copies to GPUs: hot rows to GPUs"].Bytes)
		require.Equal(t, 3000*rows, got["copies to host: hot rows to host"].Bytes)
		require.Equal(t, []int{tables, tables}, []int{got["GPU: scatter hot rows"].Kernels, got["GPU: collect hot rows"].Kernels})
		require.Equal(t, 3*49, got["GPU: MLP"].Kernels)
		require.EqualValues(t, 2*2048*26*64, got["copies to GPUs: pooled vectors"].Bytes)
		require.EqualValues(t, 3000*72, got["GPU network: exchange hot rows"].Bytes)
	}
}

// perBatch returns the time of a mini-batch in the second half of a run, in ms.
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

// TestFAETimes compares with FAE's absolute times (Table 5 over ten epochs, weak scaling), without
// fitting. Inputs are the software of its release, the cold share that its Table 7 implies, and the
// hot tables that it states (Kaggle 6.8 % of the rows; Terabyte the 256 MB of the release; Avazu
// not stated, so as Kaggle).
func TestFAETimes(t *testing.T) {
	for _, c := range []struct {
		model      string
		cold       float64
		hotMB      int
		paper      [3]float64 // ms per mini-batch on 1, 2 and 4 GPUs
		tolerances [3]float64
	}{
		{"rm2", 0.240, 147, [3]float64{19.2, 36.4, 65.5}, [3]float64{0.25, 0.25, 0.25}},
		{"rm3", 0.184, 256, [3]float64{19.3, 40.9, 63.6}, [3]float64{0.25, 0.25, 0.33}},
		{"rm4", 0.258, 40, [3]float64{13.7, 23.9, 46.5}, [3]float64{0.25, 0.25, 0.25}},
	} {
		for i, gpus := range []int{1, 2, 4} {
			p := timingtest.Plan(t, "fae-2022", c.model, gpus)
			inputs := timingtest.PerGPU * gpus
			hot := perBatch(t, fae.Order, p, repeat(timing.Work{Inputs: inputs, HotTable: c.hotMB * 1e6 / 4 / p.Model.Dim}, 10))
			cold := perBatch(t, fae.Order, p, repeat(timing.Work{Inputs: inputs, Own: fae.Work{Cold: true}}, 10))
			ours := c.cold*cold + (1-c.cold)*hot
			t.Logf("%s, %d GPUs: %.1f ms, paper %.1f", c.model, gpus, ours, c.paper[i])
			require.InEpsilon(t, c.paper[i], ours, c.tolerances[i], "%s, %d GPUs", c.model, gpus)
		}
	}
}
