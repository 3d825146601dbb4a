package timing_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Every kernel and every byte of a mini-batch of RM2 on two GPUs, each with half of the
// tables, is in one event, in whatever order the stages run.
func TestNothingIsLostInScratchpads(t *testing.T) {
	p := plan(t, "hotline-2024-a", "rm2", 2)
	p.Model.Optimiser = dlrm.Adagrad
	w := timing.Work{Inputs: 2048, Slots: 200_000, Fills: 3000, Leaves: 1001}
	gather := func(rows, size float64) float64 { return 1.55 * (4*rows + size*rows) / 816.95e6 }
	const lookups, pinned, vectors = 1024 * 26, 7e-3, 1024 * 26 * 64
	for name, c := range map[string]struct {
		system timing.System
		looks  float64
	}{"pipelined": {timing.ScratchPipe, 2}, "straw-man": {timing.ScratchPipeStrawman, 1}, "ideal": {timing.ScratchPipeIdeal, 1}} {
		_, line, err := timing.Trace(c.system, p, []timing.Work{w, w}, all)
		require.NoError(t, err)
		got := totals(line)
		for key, want := range map[string]total{
			"loader: load inputs":               {0, 2 * 4 * 2048 * (26 + 13 + 1), 2 * 2048 * 40 * 0.3e-3},
			"copies to GPUs: row ids":           {0, 2 * 2 * lookups * 8, 2 * max(pinned+lookups*8/11e6, 2*lookups*8/11e6)},
			"GPU: plan":                         {2 * 8 * 13, 0, 2 * (gather(c.looks*lookups, 32) + elementwise(0, 200_000))},
			"CPU: collect rows":                 {0, 2 * 2 * 3000 * 64, 2 * 2. / 3 * (26*120e-3 + 30e-6*0.5*3000)},
			"CPU: write back rows":              {0, 2 * 2 * 1001 * 64, 2 * 2. / 3 * (26*120e-3 + 30e-6*0.5*1001)},
			"copies to GPUs: rows to slots":     {0, 2 * 2 * 3000 * 64, 2 * max(pinned+2*1500*64/11e6, 2*3000*64/11e6)},
			"copies to host: rows to host":      {0, 2 * 2 * 2 * 501 * 64, 2 * max(pinned+2*501*64/11e6, 2*2*501*64/11e6)},
			"GPU: collect slots":                {2 * 13 * 2, 0, 2 * 2 * 2 * gather(501, 64)},
			"GPU: fill slots":                   {2 * 13 * 2, 0, 2 * 2 * 2 * gather(1500, 64)},
			"GPU: MLP":                          {2 * 49, 0, 2 * layers(1024)},
			"GPU network: pooled vectors":       {0, 2 * vectors, 2 * (25e-3 + vectors/2/47.9e6)},
			"GPU network: gradients of vectors": {0, 2 * vectors, 2 * (25e-3 + vectors/2/47.9e6)},
			"GPU network: all-reduce":           {0, 2 * 4 * 475985, 2 * (25e-3 + 4*475985/47.9e6)},
			"GPU: states of rows":               {2 * 3 * 13, 0, 2 * elementwise(5*lookups*16, 32*lookups*16)},
			"GPU: optimiser":                    {2 * 7 * 2 * 5, 0, 2 * elementwise(7*475985, 44*475985)},
		} {
			require.Equal(t, want.kernels, got[key].kernels, "%s, %s", name, key)
			require.Equal(t, want.bytes, got[key].bytes, "%s, %s", name, key)
			require.InEpsilon(t, want.ms, got[key].ms, 2e-3, "%s, %s", name, key)
		}
		require.Equal(t, 2*13*16, got["GPU: pool rows"].kernels+got["GPU: update rows"].kernels)
	}

	p.Nodes = 2
	_, line, err := timing.Trace(timing.ScratchPipe, p, []timing.Work{w}, all)
	require.NoError(t, err)
	got := totals(line)
	require.EqualValues(t, 2*1500*64, got["CPU: collect rows"].bytes, "each server has half of the rows")
	require.EqualValues(t, 2*2*750*64, got["copies to GPUs: rows to slots"].bytes)
	require.EqualValues(t, 8*7, got["GPU: plan"].kernels)
}

// span is when events of a label took place in a mini-batch.
type span struct{ start, end des.Time }

func spans(l *timeline.Timeline) map[string]map[string]span {
	out := map[string]map[string]span{}
	for _, e := range l.Events() {
		if out[e.Flow] == nil {
			out[e.Flow] = map[string]span{}
		}
		at, ok := out[e.Flow][e.Label]
		if !ok {
			at = span{e.Start, e.End}
		}
		out[e.Flow][e.Label] = span{min(at.start, e.Start), max(at.end, e.End)}
	}
	return out
}

// Whatever the stages take, training finds its rows; a row that is collected in host memory
// has been written back, if it left before the window, and one that leaves has been trained on.
func TestNoHazardInTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "mini-batches")
		var works []timing.Work
		for range n {
			count := func(name string) int { return rapid.IntRange(1, 200_000).Draw(t, name) }
			works = append(works, timing.Work{Inputs: rapid.IntRange(1, 4000).Draw(t, "inputs"), Slots: 1e6, Fills: count("fills"), Leaves: count("leaves")})
		}
		profile, err := timing.LoadProfile(rapid.SampledFrom(timing.ProfileNames()).Draw(t, "profile"))
		require.NoError(t, err)
		p := timing.Plan{Machine: roundMachine(), Profile: profile, Model: tiny(), GPUs: rapid.IntRange(1, 4).Draw(t, "gpus"), Nodes: 1}
		for ahead, system := range map[int]timing.System{2: timing.ScratchPipe, 0: timing.ScratchPipeIdeal} {
			_, line, err := timing.Trace(system, p, works, all)
			require.NoError(t, err)
			at := spans(line)
			for m := range n {
				own := at[timing.Flow(m)]
				require.GreaterOrEqual(t, own["collect rows"].start, own["plan"].end)
				require.GreaterOrEqual(t, own["collect slots"].start, own["plan"].end)
				require.GreaterOrEqual(t, own["plan"].start, at[timing.Flow(min(m+ahead, n-1))]["row ids"].end)
				if m >= 3 {
					require.GreaterOrEqual(t, own["collect rows"].start, at[timing.Flow(m-3)]["write back rows"].end)
				}
				if m >= 4 {
					require.GreaterOrEqual(t, own["collect slots"].start, at[timing.Flow(m-4)]["optimiser"].end)
					require.GreaterOrEqual(t, own["row ids"].start, at[timing.Flow(m-4)]["plan"].end, "no more is loaded ahead")
				}
				require.GreaterOrEqual(t, own["rows to slots"].start, own["collect rows"].end)
				require.GreaterOrEqual(t, own["rows to host"].start, own["collect slots"].end)
				require.GreaterOrEqual(t, own["write back rows"].start, own["rows to host"].end)
				require.GreaterOrEqual(t, own["fill slots"].start, own["rows to slots"].end)
				require.GreaterOrEqual(t, own["pool rows"].start, own["fill slots"].end)
			}
		}
	})
}

// Stages of several mini-batches run side by side: a pipeline takes no longer than the
// straw-man, and with enough of them about as long as what is busiest.
func TestPipelineHidesStages(t *testing.T) {
	p := plan(t, "fae-2022", "rm2", 1)
	works := make([]timing.Work, 40)
	for i := range works {
		works[i] = timing.Work{Inputs: 2048, Slots: 200_000, Fills: 20_000, Leaves: 20_000}
	}
	slow, err := timing.Time(timing.ScratchPipeStrawman, p, works)
	require.NoError(t, err)
	fast, err := timing.Time(timing.ScratchPipe, p, works)
	require.NoError(t, err)
	ideal, err := timing.Time(timing.ScratchPipeIdeal, p, works)
	require.NoError(t, err)
	require.Less(t, fast.Time.Seconds(), 0.8*slow.Time.Seconds())
	require.LessOrEqual(t, ideal.Time, fast.Time)
	busiest := des.Time(0)
	for _, b := range fast.Busy {
		busiest = max(busiest, b.Time)
	}
	require.InEpsilon(t, busiest.Seconds(), fast.Time.Seconds(), 0.15)
}
