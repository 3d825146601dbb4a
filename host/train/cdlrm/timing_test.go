package cdlrm_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

// TestGoldenTimelines compares with timelines that were computed by hand, in microseconds, for
// timingtest.Tiny.
func TestGoldenTimelines(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "cDLRM, sceptic, 2 GPUs", Order: cdlrm.Order, Profile: "sceptic", GPUs: 2, Works: []timing.Work{
			{Inputs: 8, HotTable: 10, Own: cdlrm.Work{Window: 16, Unique: 6, Cached: 5, Averaged: true}},
			{Inputs: 8, HotTable: 10, Own: cdlrm.Work{Victims: 3, Flushed: 2, Averaged: true}},
			{Inputs: 8, HotTable: 10, Own: cdlrm.Work{Window: 8, Unique: 4, Cached: 2, Evicted: 2, Again: 1, Averaged: true}},
		}, Want: map[string]float64{
			// 32 lookups of 3 us, and a third of a call of 9 us with 6 rows. The second
			// window's are done at 153.3.
			"waiting for look-ahead": 101,
			// First 6 look-ups of 3 us, a copy of 80 bytes in 25, an operator: at 145. The
			// second, from 301 on: when the victims' operator is dispatched, 4 look-ups, an
			// operator: 315; behind the victims at 323, 22 to the host; a row fetched again
			// in 10/3; 22 to GPU 0, and an operator.
			"caching": 44 + 70.3,
			// 10 rows of 16 bytes.
			"cache broadcast": 2 * 13,
			// A third of 9 + 3, 2 rows to each GPU in 22, and an operator.
			"victims": 27,
			// 5 operators of the embedding and 20.
			"GPU": 3 * 25, "all-reduce": 3 * 12, "optimiser": 3 * 8, "cache average": 3 * 13,
		}},
		{Name: "cDLRM, release, 1 GPU", Order: cdlrm.Order, Profile: "fae-2022", GPUs: 1, Works: []timing.Work{
			{Inputs: 8, HotTable: 10, Own: cdlrm.Work{Window: 8, Unique: 3, Cached: 2, Victims: 1, Flushed: 1}},
		}, Want: map[string]float64{
			// 40 of the loader, 16 lookups of 3, and a third of 2 calls of 30 with 3 rows of
			// 1.03.
			"waiting for look-ahead": 109,
			// 3 look-ups, 14 of the host, 2, an operator.
			"caching": 35,
			// A third of 61, 14 + 1, an operator.
			"victims": 45.3,
			"GPU":     300, "optimiser": 80,
			// The same back.
			"write-back exposed": 45.3,
		}},
		{Name: "cDLRM, from the middle of a window", Order: cdlrm.Order, Profile: "sceptic", GPUs: 1, Works: []timing.Work{{Inputs: 8}, {Inputs: 8, Own: cdlrm.Work{Window: 16, Unique: 6}}}, Want: map[string]float64{
			// The window is prefetched from the beginning on, 101 as above.
			"GPU": 2 * 25, "optimiser": 2 * 8, "waiting for look-ahead": 101 - 33, "caching": 18,
		}},
		{Name: "cDLRM, slow eviction", Order: cdlrm.Order, Profile: "sceptic", GPUs: 1, Works: []timing.Work{
			{Inputs: 8, Own: cdlrm.Work{Victims: 1, Flushed: 100}}, {Inputs: 8, Own: cdlrm.Work{Victims: 1, Flushed: 1}},
		}, Want: map[string]float64{
			// The first: 10/3, 21 and an operator. It ends at 58.3, and then its victims go
			// back: an operator, 120 to the host, and 109/3, at 215.7. The second waits.
			"victims": 25.3 + 157.4 + 25.3, "GPU": 2 * 25, "optimiser": 2 * 8,
			// An operator, 21, 10/3.
			"write-back exposed": 25.3,
		}},
		{Name: "cDLRM, fetched again", Order: cdlrm.Order, Profile: "sceptic", GPUs: 1, Works: []timing.Work{
			{Inputs: 8, Own: cdlrm.Work{Victims: 1, Flushed: 100}}, {Inputs: 8, Own: cdlrm.Work{Window: 1, Unique: 1, Cached: 1, Again: 1}},
		}, Want: map[string]float64{
			// From 58.3 on: when the victims have gone back at 215.7, 10/3, 21, an operator.
			"caching": 182.7,
			"victims": 25.3, "GPU": 2 * 25, "optimiser": 2 * 8,
		}},
		{Name: "cDLRM, victims that were evicted", Order: cdlrm.Order, Profile: "sceptic", GPUs: 1, Works: []timing.Work{
			{Inputs: 8, Own: cdlrm.Work{Window: 1, Unique: 1, Evicted: 1000}}, {Inputs: 8, Own: cdlrm.Work{Window: 1, Unique: 1, Victims: 1}},
		}, Want: map[string]float64{
			// 2 lookups of 3 us, a third of 9 + 1.
			"waiting for look-ahead": 9.3,
			// A look-up of 3; an operator and 1020 to the host; again a look-up.
			"caching": 1024 + 3,
			// Evicted rows are back at 1033.3 and 1009/3 later, when the second mini-batch
			// could have begun at 1069.3; then 10/3, 21, an operator.
			"victims": 300.4 + 25.3, "GPU": 2 * 25, "optimiser": 2 * 8,
		}},
		{Name: "cDLRM, slow look-ahead", Order: cdlrm.Order, Profile: "fae-2022", GPUs: 1, Works: []timing.Work{{Inputs: 8, Own: cdlrm.Work{Window: 8}}, {Inputs: 8, Own: cdlrm.Work{Window: 8}}}, Want: map[string]float64{
			// 40 and 1600; the second window, which was loaded meanwhile, is listed from 1640
			// to 3240. The first has ended at 2020.
			"waiting for look-ahead": 1640 + 1220, "GPU": 2 * 300, "optimiser": 2 * 80,
		}, Change: map[string]float64{"segregate_us": 100}},
		{Name: "cDLRM, slow loader", Order: cdlrm.Order, Profile: "fae-2022", GPUs: 1, Works: []timing.Work{{Inputs: 8, Own: cdlrm.Work{Window: 8}}, {Inputs: 8, Own: cdlrm.Work{Window: 8}}, {Inputs: 8, Own: cdlrm.Work{Window: 8}}}, Want: map[string]float64{
			// 400 and 48. The second window is loaded from 400 to 800 and listed at 848; the
			// first has ended at 828. The third is loaded from 800 to 1200, and listed at 1248
			// behind the second's end at 1228.
			"waiting for look-ahead": 448 + 20 + 20, "GPU": 3 * 300, "optimiser": 3 * 80,
		}, Change: map[string]float64{"loader_us": 10}},
	})
}

// TestGoldenStates checks the same with Adagrad.
func TestGoldenStates(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "cDLRM", Order: cdlrm.Order, Profile: "fae-2022", GPUs: 1, Adagrad: true, Works: []timing.Work{{Inputs: 8, HotTable: 10, Listed: 9, Own: cdlrm.Work{Window: 8, Unique: 3, Cached: 2, Evicted: 1}}}, Want: map[string]float64{
			// The loader's 40, 16 lookups, and twice a third of 63.1.
			"waiting for look-ahead": 130.1,
			// 3 look-ups; 2 operators, 14 + 2 to the host; 14 + 4 back, 2 operators.
			"caching": 9 + 36 + 38,
			"GPU":     300, "optimiser": 260,
		}},
	})
}

// Two servers of two GPUs: all tables are in the memory of one of them.
func TestGoldenServers(t *testing.T) {
	p := timingtest.TinyPlan(t, "sceptic", 2)
	p.Nodes = 2
	got := timingtest.Phases(t, cdlrm.Order, p, []timing.Work{{Inputs: 16, HotTable: 10, Own: cdlrm.Work{Window: 16, Unique: 6, Victims: 8, Averaged: true}}})
	require.Equal(t, 101.0, got["waiting for look-ahead"], "all inputs are looked at in one server")
	require.Equal(t, 11.0+20, got["cache broadcast"], "160 bytes")
	require.Equal(t, 11.0+30, got["cache average"], "3/2 of 160 bytes")
	require.Equal(t, 5.7+22+1, got["victims"], "all are in one server, and each GPU fetches 2")
}

func TestTimesAddUp(t *testing.T) {
	timingtest.AddsUp(t, cdlrm.Order, func(t *rapid.T) any {
		return cdlrm.Work{
			Window: timingtest.Count(t, 5000, "window"), Unique: timingtest.Count(t, 9999, "unique"), Cached: timingtest.Count(t, 9999, "cached"),
			Again: timingtest.Count(t, 99, "again"), Evicted: timingtest.Count(t, 9999, "evicted"), Victims: timingtest.Count(t, 999, "victims"),
			Flushed: timingtest.Count(t, 999, "flushed"), Averaged: rapid.Bool().Draw(t, "averaged"),
		}
	})
}

// TestNothingIsLost: every kernel and every byte of two windows, of two mini-batches and of one, is
// in exactly one event.
func TestNothingIsLost(t *testing.T) {
	const dense = timingtest.DenseRM2
	for optimiser, tables := range map[dlrm.Optimiser]int{dlrm.SGD: 1, dlrm.Adagrad: 2} {
		p := timingtest.Plan(t, "sceptic", "rm2", 2)
		p.Model.Optimiser = optimiser
		got, n := timingtest.Totals(t, cdlrm.Order, p, []timing.Work{
			{Inputs: 2048, HotTable: 100_000, Listed: 7000, Own: cdlrm.Work{Window: 4096, Unique: 9000, Cached: 8000, Victims: 61, Flushed: 50}},
			{Inputs: 2048, HotTable: 100_000, Listed: 7000, Own: cdlrm.Work{Averaged: true}},
			{Inputs: 2048, HotTable: 100_000, Listed: 7000, Own: cdlrm.Work{Window: 2048, Unique: 5000, Cached: 3000, Evicted: 2000, Again: 70}},
		}), float64(tables)
		collect := func(rows float64) float64 { return n * (120e-3 + 30e-6*0.5*rows) / 3 }
		embedding := 3 * timingtest.Pool(1024*26, 1024*26)
		k := int64(tables)
		want := map[string]timingtest.Total{
			"prefetching process: list rows":          {Ms: (4096 + 2048) * 26 * 0.33e-3},
			"prefetching process: copy rows to queue": {Bytes: k * 14000 * 64, Ms: collect(9000) + collect(5000)},
			"host thread: look up occupancy":          {Ms: 14000 * 0.33e-3},
			"CPU: fetch rows again":                   {Bytes: k * 70 * 64, Ms: collect(70)},
			"CPU: collect victims":                    {Bytes: k * 61 * 64, Ms: collect(61)},
			"eviction process: write rows back":       {Bytes: k * (50 + 2000) * 64, Ms: collect(50) + collect(2000)},
			"GPU: collect evicted rows":               {Kernels: tables, Ms: n * 2 * timingtest.Gather(2000, 64)},
			"copies to host: evicted rows":            {Bytes: k * 2000 * 64, Ms: 7e-3 + n*2000*64/11e6},
			"copies to GPUs: cached rows":             {Bytes: k * 11000 * 64, Ms: 2*7e-3 + n*11000*64/11e6},
			"GPU: scatter cached rows":                {Kernels: 2 * tables, Ms: n * 2 * (timingtest.Gather(8000, 64) + timingtest.Gather(3000, 64))},
			"GPU network: broadcast caches":           {Bytes: 2 * k * 6_400_000, Ms: 2 * (25e-3 + n*6.4e6/47.9e6)},
			"GPU network: average caches":             {Bytes: 6_400_000, Ms: 25e-3 + 6.4e6/47.9e6},
			"copies to GPUs: victims":                 {Bytes: k * 61 * 64, Ms: 7e-3 + n*31*64/11e6},
			"GPU: scatter victims":                    {Kernels: tables, Ms: n * 2 * 1.55 * (128 + 64*31) / 816.95e6}, // ids in sectors of 32 bytes
			"GPU: collect victims":                    {Kernels: tables, Ms: n * 2 * 1.55 * (128 + 64*25) / 816.95e6},
			"copies to host: updated victims":         {Bytes: k * 2 * 25 * 64, Ms: 7e-3 + n*25*64/11e6},
			"GPU: embedding":                          {Kernels: 3 * 16, Ms: 3 * embedding},
			"GPU: MLP":                                {Kernels: 3 * 49, Ms: 3 * timingtest.Layers(1024)},
			"GPU: interaction and loss":               {Kernels: 3 * 30, Ms: 3 * timingtest.Interaction(1024)},
			"GPU: optimiser":                          {Kernels: 3 * 28, Ms: 3 * timingtest.Elementwise(2*dense, 12*dense)},
			"GPU network: all-reduce":                 {Bytes: 3 * 4 * dense, Ms: 3 * (25e-3 + 4*dense/47.9e6)},
		}
		leftOut := []string{"host thread: dispatch MLP", "host thread: dispatch interaction and loss", "host thread: dispatch optimiser", "host thread: dispatch embedding",
			"host thread: dispatch collect evicted rows", "host thread: dispatch scatter cached rows", "host thread: dispatch scatter victims", "host thread: dispatch collect victims"}
		if optimiser == dlrm.Adagrad {
			want["GPU: optimiser"] = timingtest.Total{Kernels: 3 * 7 * 2 * 5, Ms: 3 * timingtest.Elementwise(7*dense, 44*dense)}
			want["GPU: states of rows"] = timingtest.Total{Kernels: 3 * 3, Ms: 3 * timingtest.Elementwise(5*3500*16, 32*3500*16)}
			leftOut = append(leftOut, "host thread: dispatch states of rows")
		}
		timingtest.RequireTotals(t, want, got, leftOut...)
	}
}
