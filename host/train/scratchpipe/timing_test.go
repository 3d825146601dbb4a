package scratchpipe_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

// steady returns n mini-batches, in each of which 6 rows arrive and 3 leave.
func steady(n int) []timing.Work {
	works := make([]timing.Work, n)
	for i := range works {
		works[i] = timing.Work{Inputs: 8, Own: scratchpipe.Work{Slots: 100, Fills: 6, Leaves: 3}}
	}
	return works
}

// TestGoldenTimelines compares with timelines that were computed by hand, in microseconds, for
// timingtest.Tiny.
func TestGoldenTimelines(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "ScratchPipe straw-man", Order: scratchpipe.StrawmanOrder, Profile: "hotline-2024-a", GPUs: 1, Works: steady(2), Want: map[string]float64{
			// 40, and 128 bytes of ids, 20 + 8.
			"loading inputs": 2 * 68,
			// 8 operators a table.
			"plan": 2 * 160,
			// An operator a table, longer than a third of 2 x 9 + 6 on the CPU.
			"collect": 2 * 20,
			// 96 bytes to the GPU, 20 + 6, longer than 48 from it.
			"exchange rows": 2 * 26,
			// An operator a table, longer than a third of 2 x 9 + 3.
			"insert": 2 * 20,
			// 10 operators of the embedding, and 20; then 8.
			"GPU": 2 * 300, "optimiser": 2 * 80,
		}},
		{Name: "ScratchPipe", Order: scratchpipe.Order, Profile: "hotline-2024-a", GPUs: 1, Works: steady(2), Want: map[string]float64{
			"loading inputs": 68,
			// Behind the second's ids at 108, 160.
			"plan": 200, "collect": 20, "exchange rows": 23,
			// Rows are there at 302; the host thread plans the second until 448 and collects
			// from its slots until 468. The second's are filled behind the first's training.
			"insert": 177 + 20,
			"GPU":    2 * 300, "optimiser": 2 * 80,
		}},
		{Name: "ScratchPipe, full", Order: scratchpipe.Order, Profile: "hotline-2024-a", GPUs: 1, Works: steady(8), Want: map[string]float64{
			// Ids of the third are there at 148. Plan, 160, and Collect, 20, of the first end at
			// 308 and 328, of the second at 488 and 508; the third is planned until 668, when
			// the first is inserted, 20, and collected until 708, and the fourth planned until 868.
			// The first's rows follow the ids of the fifth, at 376, and take 26.
			"loading inputs": 68, "plan": 240, "collect": 20, "exchange rows": 74, "insert": 286 + 7*20,
			// Behind that the host thread trains in turn, inserts the next, collects the one
			// two behind it and plans the one behind that, as long as there are any.
			"GPU": 5*480 + 320 + 2*300, "optimiser": 8 * 80,
		}},
		{Name: "ScratchPipe ideal", Order: scratchpipe.IdealOrder, Profile: "hotline-2024-a", GPUs: 1, Works: steady(2), Want: map[string]float64{
			// No look-ahead to the second mini-batch.
			"loading inputs": 68, "plan": 160, "collect": 20, "exchange rows": 23, "insert": 177 + 20, "GPU": 2 * 300, "optimiser": 2 * 80,
		}},
	})
}

func TestTimesAddUp(t *testing.T) {
	for _, order := range []timing.System{scratchpipe.Order, scratchpipe.StrawmanOrder, scratchpipe.IdealOrder} {
		timingtest.AddsUp(t, order, func(t *rapid.T) any {
			return scratchpipe.Work{Slots: timingtest.Count(t, 99999, "slots"), Fills: timingtest.Count(t, 9999, "fills"), Leaves: timingtest.Count(t, 9999, "leaves")}
		})
	}
}

// TestNothingIsLost: every kernel and every byte of a mini-batch of RM2 on two GPUs, each with half
// of the tables, is in exactly one event, whatever the order of the stages.
func TestNothingIsLost(t *testing.T) {
	p := timingtest.Plan(t, "hotline-2024-a", "rm2", 2)
	p.Model.Optimiser = dlrm.Adagrad
	w := timing.Work{Inputs: 2048, Own: scratchpipe.Work{Slots: 200_000, Fills: 3000, Leaves: 1001}}
	const lookups, pinned, vectors = 1024 * 26, 7e-3, 1024 * 26 * 64
	for name, c := range map[string]struct {
		system timing.System
		looks  float64
	}{"pipelined": {scratchpipe.Order, 2}, "straw-man": {scratchpipe.StrawmanOrder, 1}, "ideal": {scratchpipe.IdealOrder, 1}} {
		got := timingtest.Totals(t, c.system, p, []timing.Work{w, w})
		for key, want := range map[string]timingtest.Total{
			"loader: load inputs":               {Bytes: 2 * 4 * 2048 * (26 + 13 + 1), Ms: 2 * 2048 * 40 * 0.3e-3},
			"copies to GPUs: row ids":           {Bytes: 2 * 2 * lookups * 8, Ms: 2 * max(pinned+lookups*8/11e6, 2*lookups*8/11e6)},
			"GPU: plan":                         {Kernels: 2 * 8 * 13, Ms: 2 * (timingtest.Gather(c.looks*lookups, 32) + timingtest.Elementwise(0, 200_000))},
			"CPU: collect rows":                 {Bytes: 2 * 2 * 3000 * 64, Ms: 2 * 2. / 3 * (26*120e-3 + 30e-6*0.5*3000)},
			"CPU: write back rows":              {Bytes: 2 * 2 * 1001 * 64, Ms: 2 * 2. / 3 * (26*120e-3 + 30e-6*0.5*1001)},
			"copies to GPUs: rows to slots":     {Bytes: 2 * 2 * 3000 * 64, Ms: 2 * max(pinned+2*1500*64/11e6, 2*3000*64/11e6)},
			"copies to host: rows to host":      {Bytes: 2 * 2 * 1001 * 64, Ms: 2 * max(pinned+2*501*64/11e6, 2*2*501*64/11e6)},
			"GPU: collect slots":                {Kernels: 2 * 13 * 2, Ms: 2 * 2 * 2 * timingtest.Gather(501, 64)},
			"GPU: fill slots":                   {Kernels: 2 * 13 * 2, Ms: 2 * 2 * 2 * timingtest.Gather(1500, 64)},
			"GPU: MLP":                          {Kernels: 2 * 49, Ms: 2 * timingtest.Layers(1024)},
			"GPU network: pooled vectors":       {Bytes: 2 * vectors, Ms: 2 * (25e-3 + vectors/2/47.9e6)},
			"GPU network: gradients of vectors": {Bytes: 2 * vectors, Ms: 2 * (25e-3 + vectors/2/47.9e6)},
			"GPU network: all-reduce":           {Bytes: 2 * 4 * timingtest.DenseRM2, Ms: 2 * (25e-3 + 4*timingtest.DenseRM2/47.9e6)},
			"GPU: states of rows":               {Kernels: 2 * 3 * 13, Ms: 2 * timingtest.Elementwise(5*lookups*16, 32*lookups*16)},
			"GPU: optimiser":                    {Kernels: 2 * 7 * 2 * 5, Ms: 2 * timingtest.Elementwise(7*timingtest.DenseRM2, 44*timingtest.DenseRM2)},
		} {
			require.Equal(t, want.Kernels, got[key].Kernels, "%s, %s", name, key)
			require.Equal(t, want.Bytes, got[key].Bytes, "%s, %s", name, key)
			require.InEpsilon(t, want.Ms, got[key].Ms, 2e-3, "%s, %s", name, key)
		}
		require.Equal(t, 2*13*16, got["GPU: pool rows"].Kernels+got["GPU: update rows"].Kernels)
	}

	p.Nodes = 2
	got := timingtest.Totals(t, scratchpipe.Order, p, []timing.Work{w})
	require.EqualValues(t, 2*1500*64, got["CPU: collect rows"].Bytes, "each server has half of the rows")
	require.EqualValues(t, 2*2*750*64, got["copies to GPUs: rows to slots"].Bytes)
	require.EqualValues(t, 8*7, got["GPU: plan"].Kernels)
}

// span is the time of the events of a label in a mini-batch.
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

// TestNoHazardInTime: whatever the durations of the stages, training finds its rows. A row that
// left before the window is written back before it is collected in host memory, and a leaving row
// has been trained on.
func TestNoHazardInTime(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "mini-batches")
		var works []timing.Work
		for range n {
			count := func(name string) int { return rapid.IntRange(1, 200_000).Draw(t, name) }
			works = append(works, timing.Work{Inputs: rapid.IntRange(1, 4000).Draw(t, "inputs"), Own: scratchpipe.Work{Slots: 1e6, Fills: count("fills"), Leaves: count("leaves")}})
		}
		profile, err := timing.LoadProfile(rapid.SampledFrom(timing.ProfileNames()).Draw(t, "profile"))
		require.NoError(t, err)
		p := timing.Plan{Machine: timingtest.RoundMachine(), Profile: profile, Model: timingtest.Tiny(), GPUs: rapid.IntRange(1, 4).Draw(t, "gpus"), Nodes: 1}
		for ahead, system := range map[int]timing.System{2: scratchpipe.Order, 0: scratchpipe.IdealOrder} {
			_, line, err := timing.Trace(system, p, works, timingtest.All)
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

// TestPipelineHidesStages: stages of several mini-batches overlap. A pipeline takes no longer than
// the straw-man, and with enough mini-batches about as long as the busiest resource.
func TestPipelineHidesStages(t *testing.T) {
	p := timingtest.Plan(t, "fae-2022", "rm2", 1)
	works := make([]timing.Work, 40)
	for i := range works {
		works[i] = timing.Work{Inputs: 2048, Own: scratchpipe.Work{Slots: 200_000, Fills: 20_000, Leaves: 20_000}}
	}
	slow, err := timing.Time(scratchpipe.StrawmanOrder, p, works)
	require.NoError(t, err)
	fast, err := timing.Time(scratchpipe.Order, p, works)
	require.NoError(t, err)
	ideal, err := timing.Time(scratchpipe.IdealOrder, p, works)
	require.NoError(t, err)
	require.Less(t, fast.Time.Seconds(), 0.8*slow.Time.Seconds())
	require.LessOrEqual(t, ideal.Time, fast.Time)
	busiest := des.Time(0)
	for _, b := range fast.Busy {
		busiest = max(busiest, b.Time)
	}
	require.InEpsilon(t, busiest.Seconds(), fast.Time.Seconds(), 0.15)
}

// TestInsertOverlapsCollect: with a framework's operators, a mini-batch takes the time of one of
// its two stages on the CPU. With fused kernels, which use all cores, it takes the time of both.
func TestInsertOverlapsCollect(t *testing.T) {
	const rows, n = 1_000_000, 20
	works := make([]timing.Work, n)
	for i := range works {
		works[i] = timing.Work{Inputs: 8, Own: scratchpipe.Work{Slots: 2 * rows, Fills: rows, Leaves: rows}}
	}
	for cpu, stages := range map[string]des.Time{"stock": 1, "fused": 2} {
		p := timingtest.Plan(t, "fae-2022", "rm2", 1)
		p.Profile.CPU = cpu
		run, err := timing.Time(scratchpipe.Order, p, works)
		require.NoError(t, err)
		var stage des.Time
		_, err = timing.Time(func(s *timing.Schedule, _ []timing.Work) {
			stage = s.ReadTime(rows)
			s.End(timeline.Point{})
		}, p, works[:1])
		require.NoError(t, err)
		require.InEpsilon(t, float64(stages*stage), float64(run.Ends[n-4]-run.Ends[n-8])/4, 0.02, cpu)
	}
}
