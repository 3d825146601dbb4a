package timing_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/node/machine"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// The timelines of this file were worked out by hand, in microseconds, for a tiny
// model on a machine of round numbers: a model of 2 tables, one lookup each, rows
// of 4 values (16 bytes), MLPs 2-4 and 7-1 (3 features: 3 pairs and 4 values),
// which are 2 layers of (2+1)*4 + (7+1)*1 = 20 parameters, 80 bytes. A kernel that
// multiplies takes 3 us, others as good as nothing; an operator is dispatched in
// 10 us; a mini-batch of 8 inputs has 5 values each to load, 1 us a value.
//
//	forward and backward  7 operators a layer, of which a product takes 3 us:
//	                      bottom 2, top 3: 15 us of kernels; and 6 of the rest
//	optimiser             4 operators a layer
func tiny() rec.Config {
	return rec.Config{
		Dense: 2, Dim: 4, Bottom: []int{2, 4}, Top: []int{1}, LearningRate: 0.1,
		Tables: []rec.Table{{Name: "a", Rows: 10, Lookups: 1}, {Name: "b", Rows: 10, Lookups: 1}},
	}
}

// round are the constants of that machine; what is not listed is as good as
// nothing.
var round = map[string]float64{
	"gemm_overhead_us": 3, "dispatch_us": 10, "graph_us": 1, "dispatch_serial": 0.5,
	"rest_ops": 6, "gpu_table_ops": 5, "hybrid_table_ops": 2, "driver_us": 4, "loader_us": 1,
	"stock_call_us": 30, "stock_row_us": 2, "fused_call_us": 9, "fused_row_ns": 4000, "fused_row_thread_ns": 8000,
	"pageable_table_us": 7, "pageable_gb_per_s": 16e-3, "pageable_growth": 1, "pinned_us": 20, "pinned_gb_per_s": 16e-3,
	"uplink_gb_per_s": 1e9, "replicate_ms": 0.05, "nvlink_gb_per_s": 80e-3, "nvlink_peers": 3, "collective_us": 11, "nic_gb_per_s": 8e-3,
	"gloo_gb_per_s": 24e-3, "gloo_row_us": 13, "accelerator_scale": 1, "segregate_us": 3,
	"embedding_backward": 1, "gather_penalty_32": 1, "gather_penalty_64": 1, "elementwise_share": 1,
}

func roundMachine() *machine.Machine {
	m := machine.Default()
	for _, c := range m.Constants() {
		v, ok := round[c.Name]
		if !ok {
			v = 1e12
			if c.Name == "gemm_head_gflop" {
				v = 1e-9
			}
		}
		m = m.With(c.Name, v)
	}
	return m
}

func tinyPlan(t *testing.T, profile string, gpus int) timing.Plan {
	p, err := timing.LoadProfile(profile)
	require.NoError(t, err)
	return timing.Plan{Machine: roundMachine(), Profile: p, Model: tiny(), GPUs: gpus, Nodes: 1}
}

// phases are a run's, in tenths of a microsecond.
func phases(r timing.Run) map[string]float64 {
	m := map[string]float64{}
	for _, p := range r.Phases {
		if us := math.Round(p.Time.Seconds()*1e7) / 10; us > 0 {
			m[p.Label] = us
		}
	}
	return m
}

const us = node.Microsecond

// tinyTT has one table in tensor-train form: cores of 40 values, 160 bytes.
var tinyTT = timing.TT{Dims: [3]int{1, 2, 2}, Rank: 2, Values: 40, Bags: 1, PlainBags: 1, PlainLookups: 1, Queue: 2}

// plainTT has none.
func plainTT(queue int) timing.TT { return timing.TT{PlainBags: 2, PlainLookups: 2, Queue: queue} }

func TestGoldenTimelines(t *testing.T) {
	for _, c := range []struct {
		name    string
		system  timing.System
		profile string
		gpus    int
		works   []timing.Work
		want    map[string]float64
		change  map[string]float64 // of the machine
	}{
		{"hybrid, release, 1 GPU", timing.Hybrid, "fae-2022", 1, []timing.Work{{Inputs: 8}, {Inputs: 8}}, map[string]float64{
			// 8 inputs x (2 rows + 2 dense + 1 label) values.
			"loading inputs": 2 * 40,
			// 2 calls, 16 rows at (0.5 + 4/256) x 2 us; a third of it forward.
			"CPU embedding": 2 * 76.5,
			// Each way 2 tables x 7 us of the host, and 2 x 8 x 16 bytes at 16 bytes a us.
			"copies": 2 * 2 * (14 + 16),
			// 4 operators of the pooled vectors, 14 of the layers, 6 of the rest.
			"GPU": 2 * 240,
			// 8 operators, when the host has begun the copies: 14 + 80 us, of which
			// copies and update take 30 + 51.
			"optimiser": 2 * 13,
		}, nil},
		{"hybrid, release, 2 GPUs", timing.Hybrid, "fae-2022", 2, []timing.Work{{Inputs: 8}}, map[string]float64{
			"loading inputs": 40,
			"CPU embedding":  76.5,
			// The host does 1.5 times the work, for 2 x 4 x 16 bytes to each GPU.
			"copies": 2 * (21 + 16),
			"GPU":    24 * 15,
			// All-reduce in 11 us and 80 bytes at 80 bytes a us, before the host is done
			// with its 21 us; 2 layers to 2 GPUs at 50 us; 8 operators of 15; less 37 + 51.
			"optimiser": 21 + 200 + 120 - 88,
		}, nil},
		{"hybrid, sceptic", timing.Hybrid, "sceptic", 1, []timing.Work{{Inputs: 8}, {Inputs: 8}}, map[string]float64{
			// One call of 9 us, 16 rows of 1 us.
			"CPU embedding": 2 * 25,
			"copies":        2 * 2 * (20 + 16),
			"GPU":           2 * 22,
		}, nil},
		{"hybrid, pipelined", timing.Hybrid, "sceptic-pipelined", 1, []timing.Work{{Inputs: 8}, {Inputs: 8}, {Inputs: 8}}, map[string]float64{
			// Pooled 8.3, copied 44.3, trained 66.3, optimised 74.3. The second's vectors
			// are on the GPU at 80.3, trained on at 102.3, optimised at 110.3; the third's
			// are pooled behind the first update, 119 to 127.3, and copied at 163.3.
			"CPU embedding": 8.3 + 16.7,
			"copies":        36 + 6 + 53 + 36,
			"GPU":           22 + 22 + 22,
			"optimiser":     8 + 8,
		}, nil},
		{"Hotline", timing.Hotline, "hotline-2024-a", 1, []timing.Work{
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, Listed: 8, HotTable: 100, Promoted: 4,
				Learn: 100 * us, ReadOut: 50 * us, Classify: 10 * us, Gather: 70 * us, Update: 30 * us},
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, Listed: 8, HotTable: 100, Classify: 10 * us, Gather: 70 * us, Update: 30 * us},
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, Listed: 8, HotTable: 100, Promoted: 2, Demoted: 2,
				Learn: 20 * us, ReadOut: 600 * us, Classify: 10 * us, Gather: 70 * us, Update: 30 * us},
		}, map[string]float64{
			// At first all of it, 166 with 4 us for each of 4 doorbells and interrupts.
			// Later from the second gather's end at 975.5 to 1611.5, when the
			// mini-batch has ended at 1458.
			"learning": 166 + 153.5,
			// 64 bytes by a pinned copy, 20 + 4, and an operator. Later when the update of
			// the cold rows, behind the read-out, has ended at 1641.5: an operator, two
			// copies of 22 and another operator.
			"hot-row copies": 34 + 94,
			// Where nothing hides it.
			"waiting for classify": 2 * 18,
			// The mark of the pooled vectors; 10 operators of the embedding, 14 of the
			// layers, 6 of the rest.
			"popular micro-batch": 3 * 310,
			// The check of the vectors, and 20.
			"non-popular micro-batch": 3 * 210,
			// 8, the hot rows, and the gradients of the cold ones.
			"optimiser": 3 * 100,
			// The last: a list of 24 bytes, 21.5, and 38 of the command.
			"update exposed": 59.5,
		}, nil},
		{"Hotline, slow gather", timing.Hotline, "hotline-2024-a", 1, []timing.Work{{Inputs: 8, Popular: 6, Classify: 10 * us, Gather: 1000 * us}}, map[string]float64{
			"waiting for classify": 18, "popular micro-batch": 310, "waiting for gather": 708, "non-popular micro-batch": 210, "optimiser": 80,
		}, nil},
		{"Hotline, fast read-out", timing.Hotline, "hotline-2024-a", 1, []timing.Work{
			{Inputs: 8, Popular: 8, Classify: 10 * us}, {Inputs: 8, Popular: 8, Classify: 10 * us, Promoted: 2, ReadOut: 5 * us},
		}, map[string]float64{
			// Rows move when the mini-batch is done.
			"waiting for classify": 36, "popular micro-batch": 600, "optimiser": 160, "hot-row copies": 32,
		}, nil},
		{"hybrid, slow all-reduce", timing.Hybrid, "sceptic", 2, []timing.Work{{Inputs: 8}}, map[string]float64{
			"CPU embedding": 25, "copies": 56, "GPU": 22,
			// 501 and 8 operators, less 28 and two thirds of 25.
			"optimiser": 464.3,
		}, map[string]float64{"collective_us": 500}},
		{"hybrid, a thread per process", timing.Hybrid, "hotline-2024-b", 2, []timing.Work{{Inputs: 8}}, map[string]float64{
			// 2 calls of 9 us, 8 rows of 2 us.
			"CPU embedding": 34, "copies": 2 * (14 + 8), "GPU": 240, "optimiser": 14 + 80 - 22 - 22.7,
		}, nil},
		{"FAE", timing.FAE, "fae-2022", 2, []timing.Work{{Inputs: 8, Cold: true}, {Inputs: 8, HotRows: 3, HotTable: 10}, {Inputs: 8, Cold: true, HotRows: 3}}, map[string]float64{
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
			// 7 x 1.5 of the host, 48 bytes to each GPU.
			"hot-row copies": 2 * 16.5,
		}, nil},
		{"model parallel", timing.ModelParallel, "sceptic", 2, []timing.Work{{Inputs: 8}}, map[string]float64{
			// Of 5 operators of the table one pools, 4 follow the gradients; 20 between.
			"GPU": 1 + 20 + 4,
			// Half of 4 x 2 vectors of 16 bytes at 80 bytes a us.
			"all-to-all": 2 * 11.8,
			// 12 behind the second exchange, less the 4 operators.
			"all-reduce": 8,
			"optimiser":  8,
		}, nil},
		{"Hotline without an accelerator", timing.CPUHotline, "hotline-2024-a", 1, []timing.Work{
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, HotTable: 100}, {Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, HotTable: 100},
		}, map[string]float64{
			"loading inputs": 2 * 40,
			// The first: 16 lookups of 3 us, less the loading.
			"waiting for segregation": 8,
			// Behind 7 us in which the CPU collects 3 rows, a third of 2 x 9 + 3, and 14 in
			// which the host copies them: 10 operators of the embedding and 20.
			"popular micro-batch":     2 * 321,
			"non-popular micro-batch": 2 * 300,
			// 8 and the hot rows.
			"optimiser": 2 * 90,
			// The last: copies of 14 + 3, and an update of 14.
			"update exposed": 31,
		}, nil},
		{"the same, slow segregation", timing.CPUHotline, "hotline-2024-a", 1, []timing.Work{
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3}, {Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3},
		}, map[string]float64{
			"loading inputs": 2 * 40,
			// 1600. The second's are done at 3207, when it has been loaded at 2351.
			"waiting for segregation": 1560 + 856,
			// Collected when the update behind the segregation has ended at 3221, 14 later.
			"popular micro-batch": 321 + 335, "non-popular micro-batch": 2 * 300, "optimiser": 2 * 90, "update exposed": 31,
		}, map[string]float64{"segregate_us": 100}},
		{"EL-Rec", timing.ELRec(tinyTT), "hotline-2024-a", 1, []timing.Work{{Inputs: 8, TTLookups: 8, TTPrefixes: 3, TTRows: 5, TTBackward: 5}}, map[string]float64{
			"loading inputs": 40,
			// 5 operators of the table in tensor-train form, 5 of the other, 20.
			"GPU": 300,
			// 2 and 4, of which the last takes 3 us of kernels. The update is part of it.
			"TT backward": 63,
			"optimiser":   80,
		}, nil},
		{"EL-Rec, 2 GPUs", timing.ELRec(tinyTT), "hotline-2024-a", 2, []timing.Work{{Inputs: 8, TTLookups: 8, TTPrefixes: 6, TTRows: 8, TTBackward: 5, Listed: 4, HotRows: 3, HotTable: 10}}, map[string]float64{
			"loading inputs": 40,
			"GPU":            450,
			// Half of the 4 x 24 bytes of a GPU's rows at 80 bytes a us.
			"TT-row exchange": 11.6,
			"TT backward":     93,
			// Behind that of the dense part: 160 bytes.
			"all-reduce": 13,
			// A table of 160 bytes.
			"hot-row exchange": 13,
			// 8, and 3 of the cores.
			"optimiser": 165,
		}, nil},
		{"TT-Rec", timing.TTRec(tinyTT), "hotline-2024-a", 2, []timing.Work{{Inputs: 8, TTLookups: 8, TTPrefixes: 8, TTRows: 8, TTBackward: 8}}, map[string]float64{
			"loading inputs": 40,
			// 3 operators, 5 and 20.
			"GPU": 420,
			// 4 and 3.
			"TT backward": 105, "all-reduce": 13, "optimiser": 165,
		}, nil},
		{"EL-Rec, rows in host memory, no queue", timing.ELRec(plainTT(1)), "sceptic", 1, []timing.Work{{Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}}, map[string]float64{
			// A third of 9 + 6 us, 20 + 6 us for 96 bytes. The second time behind 20 + 9 for
			// 144 bytes of steps, and 10 of the CPU's update.
			"waiting for fetched rows": 31 + 39 + 31,
			"GPU":                      2 * 25, "optimiser": 2 * 9, "update exposed": 39,
		}, nil},
		{"EL-Rec, rows in host memory", timing.ELRec(plainTT(2)), "sceptic", 1, []timing.Work{
			{Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6, Cached: 2}}, map[string]float64{
			// All but the first are there: fetched at 57, when the first has ended at 65,
			// and at 96, when the second has at 99. One operator takes rows from the cache.
			"waiting for fetched rows": 31, "GPU": 3*25 + 1, "optimiser": 3 * 9, "update exposed": 39,
		}, nil},
		{"EL-Rec, slow copies", timing.ELRec(plainTT(2)), "sceptic", 1, []timing.Work{
			{Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}}, map[string]float64{
			// 5 and 33: for the third from when there is room, as the first has ended at
			// 72, to 110. The second has ended at 106.
			"waiting for fetched rows": 38 + 4,
			"GPU":                      3 * 25, "optimiser": 3 * 9,
			// 36 and 10.
			"update exposed": 46,
		}, map[string]float64{"pinned_us": 27}},
		{"EL-Rec, slow CPU", timing.ELRec(plainTT(2)), "sceptic", 1, []timing.Work{
			{Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}}, map[string]float64{
			// 102 to fetch and 204 to update. Fetched at 128, 230 and 332; the fourth behind
			// the first update, 306 to 510, at 638.
			"waiting for fetched rows": 128 + 68 + 68 + 128,
			"GPU":                      4 * 25, "optimiser": 4 * 9,
			// The third's steps wait for that update, the fourth's from 672 for the second
			// one's end at 816; the last two end at 1224.
			"update exposed": 144 + 144 + 408,
		}, map[string]float64{"fused_call_us": 300}},
	} {
		p := tinyPlan(t, c.profile, c.gpus)
		for name, v := range c.change {
			p.Machine = p.Machine.With(name, v)
		}
		run, err := timing.Time(c.system, p, c.works)
		require.NoError(t, err)
		require.InDeltaMapValues(t, c.want, phases(run), 0.05, c.name)
	}
}

// Adagrad has a state beside every parameter: 5 operators a tensor, and 4 for the
// hot rows, instead of 2 and 1.
func TestGoldenStates(t *testing.T) {
	for _, c := range []struct {
		name    string
		system  timing.System
		profile string
		works   []timing.Work
		want    map[string]float64
	}{
		{"hybrid", timing.Hybrid, "fae-2022", []timing.Work{{Inputs: 8}}, map[string]float64{
			"loading inputs": 40, "copies": 60, "GPU": 240,
			// Of 76.5 two thirds are the update, and once more that of the states.
			"CPU embedding": 76.5 + 51,
			// 20 operators, when the host has begun the copies: 214 us, of which copies and
			// update take 30 + 102.
			"optimiser": 82,
		}},
		{"Hotline", timing.Hotline, "hotline-2024-a", []timing.Work{
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, Listed: 8, HotTable: 100, Classify: 10 * us, Gather: 70 * us, Update: 30 * us},
		}, map[string]float64{
			"waiting for classify": 18, "popular micro-batch": 310, "non-popular micro-batch": 210,
			// 20, the hot rows, and the gradients of the cold ones.
			"optimiser": 250,
			// 48 bytes to the host and back, 23 each; two thirds of 2 calls of 9 us and 3
			// rows of 1; the list, 21.5, and 38 of the command.
			"update exposed": 23 + 14 + 23 + 59.5,
		}},
		{"Hotline, rows move", timing.Hotline, "hotline-2024-a", []timing.Work{
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, Listed: 8, HotTable: 100, Classify: 10 * us, Gather: 70 * us, Update: 30 * us},
			{Inputs: 8, Popular: 8, Promoted: 2, Demoted: 2, Classify: 10 * us, ReadOut: 5 * us},
		}, map[string]float64{
			"waiting for classify": 36, "popular micro-batch": 310 + 300, "non-popular micro-batch": 210, "optimiser": 250 + 200,
			// When the cold rows are in place, 119.5 as above: 2 operators, two copies of
			// 64 bytes, 2 operators.
			"hot-row copies": 119.5 + 20 + 24 + 24 + 20,
		}},
		{"FAE", timing.FAE, "fae-2022", []timing.Work{{Inputs: 8, HotTable: 10, Listed: 9}}, map[string]float64{
			"loading inputs": 40,
			// 10 operators of the embedding.
			"GPU": 300,
			// 20, and 3 a table of the states of rows.
			"optimiser": 260,
		}},
	} {
		p := tinyPlan(t, c.profile, 1)
		p.Model.Optimiser = rec.Adagrad
		run, err := timing.Time(c.system, p, c.works)
		require.NoError(t, err)
		require.InDeltaMapValues(t, c.want, phases(run), 0.05, c.name)
	}
}

// The exchange of hot rows on two GPUs: 8 listed rows of 16 bytes and an id of 8,
// or a table of 100 rows.
func TestGoldenExchanges(t *testing.T) {
	for kind, want := range map[string]float64{
		"sparse":    11 + 1.2, // half of 192 bytes at 80 bytes a us
		"broadcast": 11 + 20,
		"dense":     11 + 20, // twice half of 1600 bytes
		"gloo":      104 + 8, // 13 us a row, 24 bytes a us
	} {
		p := tinyPlan(t, "hotline-2024-a", 2)
		p.Profile.HotExchange = kind
		run, err := timing.Time(timing.Hotline, p, []timing.Work{{Inputs: 8, Popular: 8, HotRows: 5, Listed: 8, HotTable: 100}})
		require.NoError(t, err)
		require.Equal(t, want, phases(run)["hot-row exchange"], kind)
	}
}

// Two servers of two GPUs: each has half of the inputs, and the network card at 8
// bytes a us carries the all-reduce of 80 bytes, 2 x 3/4 of them.
func TestGoldenServers(t *testing.T) {
	p := tinyPlan(t, "sceptic", 2)
	p.Nodes = 2
	run, err := timing.Time(timing.Hotline, p, []timing.Work{{Inputs: 16, Popular: 16, Listed: 8}})
	require.NoError(t, err)
	got := phases(run)
	require.Equal(t, 11.0+15, got["all-reduce"])
	require.Equal(t, 11.0+18, got["hot-row exchange"], "3/4 of 192 bytes")
	run, err = timing.Time(timing.Hybrid, p, []timing.Work{{Inputs: 16}})
	require.NoError(t, err)
	require.Equal(t, 25.0, phases(run)["CPU embedding"], "8 inputs")
}
