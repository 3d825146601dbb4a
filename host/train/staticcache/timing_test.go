package staticcache_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/train/staticcache"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

// TestGoldenTimelines compares with timelines that were computed by hand, in microseconds, for
// timingtest.Tiny.
func TestGoldenTimelines(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "static cache", Order: staticcache.Order, Profile: "fae-2022", GPUs: 1, Works: []timing.Work{{Inputs: 8, HotRows: 5, HotTable: 6, ColdRows: 2, ColdCopies: 2, Own: staticcache.Work{Missed: 4, MissedBags: 3}}}, Want: map[string]float64{
			"loading inputs": 40,
			// 16 ids of 8 bytes, 7 + 8; 2 operators; 4 ids, 7 + 2.
			"hits and misses": 15 + 20 + 9,
			// 2 calls and rows of 1.03 us: a third for 2 rows, and two thirds for 4 lookups.
			"CPU embedding of misses": 63.4,
			// 2 rows, 14 + 2; the gradients of 3 vectors, 14 + 3.
			"copies": 16 + 17,
			// 10 operators of the embedding and 20; 8 and the cached rows.
			"GPU": 300, "optimiser": 90,
		}},
		{Name: "static cache, first mini-batch", Order: staticcache.Order, Profile: "fae-2022", GPUs: 1, Works: []timing.Work{{Inputs: 8, HotRows: 5, HotTable: 6, Promoted: 6, Own: staticcache.Work{Counted: 30}}}, Want: map[string]float64{
			// 30 inputs of 2 lookups of 0.5.
			"profiling": 30,
			// 6 rows of 16 bytes, 20 + 6; an operator that scatters them.
			"hot-row copies": 26 + 10, "loading inputs": 40, "hits and misses": 15 + 20, "GPU": 300, "optimiser": 90,
		}},
		{Name: "static cache without misses", Order: staticcache.Order, Profile: "fae-2022", GPUs: 2, Works: []timing.Work{{Inputs: 8, HotRows: 5, HotTable: 10}}, Want: map[string]float64{
			"loading inputs": 40,
			// 8 ids to each of 2 GPUs, 10.5 + 8; 2 operators of 15.
			"hits and misses": 18.5 + 30, "GPU": 450,
			// And 2 layers to 2 GPUs; 10 rows of 16 bytes; 9 operators.
			"all-reduce": 12 + 200, "hot-row exchange": 11 + 2, "optimiser": 135,
		}},
	})
}

func TestTimesAddUp(t *testing.T) {
	timingtest.AddsUp(t, staticcache.Order, func(t *rapid.T) any {
		return staticcache.Work{Missed: timingtest.Count(t, 9999, "missed"), MissedBags: timingtest.Count(t, 9999, "missed bags"), Counted: timingtest.Count(t, 9999, "counted")}
	})
}

// TestNothingIsLost: every kernel and every byte of a mini-batch of RM2 on two GPUs is in exactly
// one event.
func TestNothingIsLost(t *testing.T) {
	const dense = timingtest.DenseRM2
	p := timingtest.Plan(t, "sceptic", "rm2", 2)
	embedding := 3 * timingtest.Pool(1024*26, 1024*26)
	w := timing.Work{Inputs: 2048, HotRows: 700, ColdRows: 300, ColdCopies: 340, Listed: 1100, HotTable: 5000, Own: staticcache.Work{Missed: 500, MissedBags: 480}}
	got := timingtest.Totals(t, staticcache.Order, p, []timing.Work{w})
	interaction := timingtest.Interaction(1024)
	timingtest.RequireTotals(t, map[string]timingtest.Total{
		"copies to GPUs: ids":                 {Bytes: 2048 * 26 * 8},
		"GPU: hits":                           {Kernels: 1, Ms: timingtest.Elementwise(1024*26, 1024*26*16)},
		"copies to host: missed ids":          {Bytes: 500 * 8},
		"CPU: gather missed rows":             {Bytes: 340 * 64},
		"copies to GPUs: missed rows":         {Bytes: 340 * 64},
		"GPU: embedding":                      {Kernels: 16, Ms: embedding},
		"GPU: MLP":                            {Kernels: 49, Ms: timingtest.Layers(1024)},
		"GPU: interaction and loss":           {Kernels: 30, Ms: interaction},
		"GPU network: all-reduce":             {Bytes: 4 * dense},
		"GPU network: exchange hot rows":      {Bytes: 1100 * 72},
		"GPU: optimiser":                      {Kernels: 28},
		"GPU: hot rows":                       {Kernels: 1, Ms: timingtest.Elementwise(2*700*16, 12*700*16)},
		"copies to host: gradients of misses": {Bytes: 480 * 64},
		"CPU: update rows":                    {Bytes: 2 * 300 * 64},
	}, got, "host thread: dispatch hits", "host thread: dispatch embedding", "host thread: dispatch MLP", "host thread: dispatch interaction and loss",
		"host thread: dispatch optimiser", "host thread: dispatch hot rows")
}

// TestMisses: pooled misses need fewer copies, one per bag instead of one per row, but the CPU reads
// a row for each lookup. The default is rows.
func TestMisses(t *testing.T) {
	p := timingtest.Plan(t, "hotline-2024-b", "rm2", 1)
	require.Equal(t, "rows", p.Profile.Misses)
	works := []timing.Work{{Inputs: 2048, ColdCopies: 800, Own: staticcache.Work{Missed: 900, MissedBags: 300}}}
	rows := timingtest.Totals(t, staticcache.Order, p, works)
	require.EqualValues(t, 800*64, rows["pageable copies: missed rows"].Bytes)
	require.EqualValues(t, 800*64, rows["CPU: gather missed rows"].Bytes)
	p.Profile.Misses = "pooled"
	pooled := timingtest.Totals(t, staticcache.Order, p, works)
	require.EqualValues(t, 300*64, pooled["pageable copies: missed rows"].Bytes)
	require.EqualValues(t, 900*64, pooled["CPU: gather missed rows"].Bytes)
}
