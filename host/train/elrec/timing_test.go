package elrec_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

// tinyTT has one table in tensor-train form: cores of 40 values, 160 bytes.
var tinyTT = elrec.TT{Dims: [3]int{1, 2, 2}, Rank: 2, Values: 40, Bags: 1, PlainBags: 1, PlainLookups: 1, Queue: 2}

// plainTT has none.
func plainTT(queue int) elrec.TT { return elrec.TT{PlainBags: 2, PlainLookups: 2, Queue: queue} }

// TestGoldenTimelines compares with timelines that were computed by hand, in microseconds, for
// timingtest.Tiny.
func TestGoldenTimelines(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "EL-Rec", Order: elrec.ELRec(tinyTT), Profile: "hotline-2024-a", GPUs: 1, Works: []timing.Work{{Inputs: 8, Own: elrec.Work{TTLookups: 8, TTPrefixes: 3, TTRows: 5, TTBackward: 5}}}, Want: map[string]float64{
			"loading inputs": 40,
			// 5 operators of the table in tensor-train form, 5 of the other, 20.
			"GPU": 300,
			// 2 and 4, of which the last takes 3 us of kernels. The update is part of it.
			"TT backward": 63,
			"optimiser":   80,
		}},
		{Name: "EL-Rec, 2 GPUs", Order: elrec.ELRec(tinyTT), Profile: "hotline-2024-a", GPUs: 2, Works: []timing.Work{{Inputs: 8, Listed: 4, HotRows: 3, HotTable: 10, Own: elrec.Work{TTLookups: 8, TTPrefixes: 6, TTRows: 8, TTBackward: 5}}}, Want: map[string]float64{
			"loading inputs": 40,
			"GPU":            450,
			// Half of the 4 x 24 bytes of a GPU's rows at 80 bytes a us.
			"TT-row exchange": 11.6,
			"TT backward":     93,
			// After the all-reduce of the dense part: 160 bytes.
			"all-reduce": 13,
			// A table of 160 bytes.
			"hot-row exchange": 13,
			// 8, and 3 of the cores.
			"optimiser": 165,
		}},
		{Name: "TT-Rec", Order: elrec.TTRec(tinyTT), Profile: "hotline-2024-a", GPUs: 2, Works: []timing.Work{{Inputs: 8, Own: elrec.Work{TTLookups: 8, TTPrefixes: 8, TTRows: 8, TTBackward: 8}}}, Want: map[string]float64{
			"loading inputs": 40,
			// 3 operators, 5 and 20.
			"GPU": 420,
			// 4 and 3.
			"TT backward": 105, "all-reduce": 13, "optimiser": 165,
		}},
		{Name: "EL-Rec, rows in host memory, no queue", Order: elrec.ELRec(plainTT(1)), Profile: "sceptic", GPUs: 1, Works: []timing.Work{{Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}}, Want: map[string]float64{
			// A third of 9 + 6 us, 20 + 6 us for 96 bytes. The second time behind 20 + 9 for
			// 144 bytes of steps, and 10 of the CPU's update.
			"waiting for fetched rows": 31 + 39 + 31,
			"GPU":                      2 * 25, "optimiser": 2 * 9, "update exposed": 39,
		}},
		{Name: "EL-Rec, rows in host memory", Order: elrec.ELRec(plainTT(2)), Profile: "sceptic", GPUs: 1, Works: []timing.Work{
			{Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6, Own: elrec.Work{Recent: 2}}}, Want: map[string]float64{
			// All but the first are there: fetched at 57, when the first has ended at 65,
			// and at 96, when the second has at 99. One operator takes rows from the cache.
			"waiting for fetched rows": 31, "GPU": 3*25 + 1, "optimiser": 3 * 9, "update exposed": 39,
		}},
		{Name: "EL-Rec, slow copies", Order: elrec.ELRec(plainTT(2)), Profile: "sceptic", GPUs: 1, Works: []timing.Work{
			{Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}}, Want: map[string]float64{
			// 5 and 33: for the third from when there is room, as the first has ended at
			// 72, to 110. The second has ended at 106.
			"waiting for fetched rows": 38 + 4,
			"GPU":                      3 * 25, "optimiser": 3 * 9,
			// 36 and 10.
			"update exposed": 46,
		}, Change: map[string]float64{"pinned_us": 27}},
		{Name: "EL-Rec, slow CPU", Order: elrec.ELRec(plainTT(2)), Profile: "sceptic", GPUs: 1, Works: []timing.Work{
			{Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}}, Want: map[string]float64{
			// 102 to fetch and 204 to update. Fetched at 128, 230 and 332; the fourth behind
			// the first update, 306 to 510, at 638.
			"waiting for fetched rows": 128 + 68 + 68 + 128,
			"GPU":                      4 * 25, "optimiser": 4 * 9,
			// The third's steps wait for that update, the fourth's from 672 for the second
			// one's end at 816; the last two end at 1224.
			"update exposed": 144 + 144 + 408,
		}, Change: map[string]float64{"fused_call_us": 300}},
	})
}

func TestTimesAddUp(t *testing.T) {
	for _, order := range []func(elrec.TT) timing.System{elrec.ELRec, elrec.TTRec} {
		timingtest.AddUp(t, func(t *rapid.T) timing.System {
			return order(elrec.TT{
				Dims: [3]int{2, 4, 2}, Rank: timingtest.Count(t, 99, "rank"), Values: timingtest.Count(t, 9999, "values"), Bags: 1 + timingtest.Count(t, 9, "bags"),
				PlainBags: timingtest.Count(t, 9, "plain bags"), PlainLookups: timingtest.Count(t, 9, "plain lookups"), Queue: 1 + timingtest.Count(t, 5, "queue"),
			})
		}, func(t *rapid.T) any {
			return elrec.Work{
				TTLookups: timingtest.Count(t, 9999, "TT lookups"), TTPrefixes: timingtest.Count(t, 9999, "prefixes"), TTRows: timingtest.Count(t, 9999, "TT rows"),
				TTBackward: timingtest.Count(t, 9999, "TT backward"), Recent: timingtest.Count(t, 99, "recent"),
			}
		})
	}
}

// batched returns the time of products of slices.
func batched(count, m, n, k float64) float64 {
	return 9e-3 + math.Max((2*count*m*n*k*1e-9+0.05)/13.5, 4*count*(m*k+k*n+m*n)/550e6)
}

// Every product of slices, every row and every gradient of EL-Rec and TT-Rec, on two
// GPUs: five tables in tensor-train form, slices of 2 x 32, 32 x 4 x 32 and 32 x 2.
func TestNoProductIsLost(t *testing.T) {
	const dense, slices = timingtest.DenseRM2, 2*32 + 32*4*32 + 32*2
	p := timingtest.Plan(t, "hotline-2024-b", "rm2", 2)
	tt := elrec.TT{Dims: [3]int{2, 4, 2}, Rank: 32, Values: 1_000_000, Bags: 5, PlainBags: 21, PlainLookups: 21, Queue: 2}
	w := timing.Work{Inputs: 2048, Listed: 9000, HotRows: 2000, HotTable: 7000, ColdRows: 3000, Own: elrec.Work{TTLookups: 10240, TTPrefixes: 3000, TTRows: 5000, TTBackward: 4000, Recent: 500}}
	got := timingtest.Totals(t, elrec.ELRec(tt), p, []timing.Work{w})
	backward := 5 * (batched(400, 8, 32, 2) + batched(400, 32, 2, 8) + batched(400, 2, 32, 128) + batched(400, 32, 128, 2))
	timingtest.RequireSome(t, map[string]timingtest.Total{
		"GPU: distinct TT rows":             {Kernels: 10, Ms: timingtest.Elementwise(0, 16*5120)},
		"GPU: two TT slices":                {Kernels: 5, Ms: 5 * batched(300, 2, 128, 32)},
		"GPU: third TT slice":               {Kernels: 5, Ms: 5 * batched(500, 8, 2, 32)},
		"GPU: pool TT rows":                 {Kernels: 5, Ms: timingtest.Pool(1024*5, 5120)},
		"GPU: embedding":                    {Kernels: 21 * 16, Ms: 3 * timingtest.Pool(1024*21, 1024*21)},
		"GPU: MLP":                          {Kernels: 49, Ms: timingtest.Layers(1024)},
		"GPU: sum gradients of TT rows":     {Kernels: 10, Ms: timingtest.Elementwise(5120*16, 8*5120*16)},
		"GPU: TT gradients":                 {Kernels: 20, Ms: backward + timingtest.Elementwise(2*2000*slices, 4*2000*slices)},
		"GPU: TT cores":                     {Kernels: 15, Ms: timingtest.Elementwise(2e6, 12e6)},
		"GPU: optimiser":                    {Kernels: 28, Ms: timingtest.Elementwise(2*dense, 12*dense)},
		"GPU: rows from the cache":          {Kernels: 1, Ms: 2 * 1.55 * (4*504 + 64*500) / 816.95e6},
		"GPU: rows to the cache":            {Kernels: 1, Ms: 2 * timingtest.Gather(3000, 64)},
		"GPU network: gradients of TT rows": {Bytes: 2500 * 72, Ms: 25e-3 + 2500*72/2/47.9e6},
		"GPU network: all-reduce":           {Bytes: 4 * dense, Ms: 25e-3 + 4*dense/47.9e6},
		"GPU network: all-reduce TT cores":  {Bytes: 4e6, Ms: 25e-3 + 4e6/47.9e6},
		"CPU: fetch rows":                   {Bytes: 3000 * 64},
		"CPU: update rows":                  {Bytes: 2 * 3000 * 64},
		"pageable copies: fetched rows":     {Bytes: 2 * 3000 * 64, Ms: 3000 * 64 / 2.33e6},
		"pageable copies: steps of rows":    {Bytes: 2 * 1500 * 72, Ms: 1500 * 72 / 2.33e6},
	}, got, 2e-3)

	one := timingtest.Plan(t, "sceptic", "rm2", 1)
	got = timingtest.Totals(t, elrec.ELRec(tt), one, []timing.Work{w})
	require.NotContains(t, got, "GPU: TT cores", "fused into the products")
	require.Equal(t, 4, got["GPU: TT gradients"].Kernels, "of all tables together")

	naive := timing.Work{Inputs: 2048, Own: elrec.Work{TTLookups: 10240, TTPrefixes: 10240, TTRows: 10240, TTBackward: 10240}}
	got = timingtest.Totals(t, elrec.TTRec(tt), one, []timing.Work{naive})
	require.NotContains(t, got, "GPU: distinct TT rows")
	require.InEpsilon(t, batched(10240, 2, 128, 32), got["GPU: two TT slices"].Ms, 1e-3)
	require.InEpsilon(t, timingtest.Elementwise(10240*slices, 12*10240*slices), got["GPU: sum TT gradients"].Ms, 1e-3)
	require.InEpsilon(t, timingtest.Elementwise(2e6, 12e6), got["GPU: TT cores"].Ms, 1e-3)
	require.Zero(t, got["GPU network: gradients of TT rows"].Bytes)

	// Each of two servers fetches half of the rows from its memory.
	p.Nodes = 2
	got = timingtest.Totals(t, elrec.ELRec(tt), p, []timing.Work{w})
	require.EqualValues(t, 1500*64, got["CPU: fetch rows"].Bytes)
	require.EqualValues(t, 3000*64, got["GPU network: rows of other servers"].Bytes)
	require.EqualValues(t, 2*3000*64, got["pageable copies: fetched rows"].Bytes)
}

// Slices in a cache take the time of their products' operations only. A file that does not
// say where they are has them in memory.
func TestSlices(t *testing.T) {
	p := timingtest.Plan(t, "hotline-2024-b", "rm2", 1)
	require.Equal(t, "memory", p.Profile.Slices)
	tt := elrec.TT{Dims: [3]int{2, 4, 2}, Rank: 32, Values: 1_000_000, Bags: 1, Queue: 2}
	works := []timing.Work{{Inputs: 2048, Own: elrec.Work{TTLookups: 10240, TTPrefixes: 3000, TTRows: 5000, TTBackward: 4000}}}
	before := timingtest.Totals(t, elrec.ELRec(tt), p, works)
	p.Profile.Slices = "cache"
	after := timingtest.Totals(t, elrec.ELRec(tt), p, works)
	operations := p.Machine.GEMMOverheadUs/1e3 + (2*3000*2*128*32*1e-9+p.Machine.GEMMHeadGFLOP)/p.Machine.GEMMTFLOPS
	require.InEpsilon(t, operations, after["GPU: two TT slices"].Ms, 1e-3)
	require.Less(t, after["GPU: two TT slices"].Ms, before["GPU: two TT slices"].Ms)
	require.Less(t, after["GPU: TT gradients"].Ms, before["GPU: TT gradients"].Ms/2)
	require.Equal(t, before["GPU: pool TT rows"], after["GPU: pool TT rows"])
}
