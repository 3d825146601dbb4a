package timing_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/machine"
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
func tiny() dlrm.Config {
	return dlrm.Config{
		Dense: 2, Dim: 4, Bottom: []int{2, 4}, Top: []int{1}, LearningRate: 0.1,
		Tables: []dlrm.Table{{Name: "a", Rows: 10, Lookups: 1}, {Name: "b", Rows: 10, Lookups: 1}},
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

const us = des.Microsecond

// scratchpad is n mini-batches of which each has 6 rows come and 3 leave.
func scratchpad(n int) []timing.Work {
	works := make([]timing.Work, n)
	for i := range works {
		works[i] = timing.Work{Inputs: 8, Slots: 100, Fills: 6, Leaves: 3}
	}
	return works
}

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
		{"FAE", timing.FAE, "fae-2022", 2, []timing.Work{{Inputs: 8, Cold: true}, {Inputs: 8, HotTable: 10, Promoted: 3}, {Inputs: 8, Cold: true, Demoted: 3}}, map[string]float64{
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
		{"model parallel, uneven", timing.ModelParallel, "sceptic", 2, []timing.Work{{Inputs: 8, Gathered: 12}}, map[string]float64{
			"GPU": 1 + 20 + 4,
			// Half of 12 rows of 16 bytes.
			"all-to-all": 2 * 12.2, "all-reduce": 8, "optimiser": 8,
		}, nil},
		{"hybrid, fused kernels", timing.HybridFused, "fae-2022", 1, []timing.Work{{Inputs: 8}}, map[string]float64{
			// 2 calls of 9 us, 16 rows of 1 us.
			"loading inputs": 40, "CPU embedding": 34, "copies": 60, "GPU": 240,
			// 14 + 80 us, of which copies and update take 30 + 22.7.
			"optimiser": 41.3,
		}, nil},
		{"hybrid, fused kernels of one thread", timing.HybridFused, "hotline-2024-b", 2, []timing.Work{{Inputs: 8}}, map[string]float64{
			"CPU embedding": 34, "copies": 2 * (14 + 8), "GPU": 240, "optimiser": 14 + 80 - 22 - 22.7,
		}, nil},
		{"static cache", timing.StaticCache, "fae-2022", 1, []timing.Work{{Inputs: 8, HotRows: 5, HotTable: 6, ColdRows: 2, ColdCopies: 2, Missed: 4, MissedBags: 3}}, map[string]float64{
			"loading inputs": 40,
			// 16 ids of 8 bytes, 7 + 8; 2 operators; 4 ids, 7 + 2.
			"hits and misses": 15 + 20 + 9,
			// 2 calls, 4 rows of 1.03 us, a third of it forward.
			"CPU embedding of misses": 64.1,
			// 2 rows, 14 + 2; the gradients of 3 vectors, 14 + 3.
			"copies": 16 + 17,
			// 10 operators of the embedding and 20; 8 and the cached rows.
			"GPU": 300, "optimiser": 90,
		}, nil},
		{"static cache without misses", timing.StaticCache, "fae-2022", 2, []timing.Work{{Inputs: 8, HotRows: 5, HotTable: 10}}, map[string]float64{
			"loading inputs": 40,
			// 8 ids to each of 2 GPUs, 10.5 + 8; 2 operators of 15.
			"hits and misses": 18.5 + 30, "GPU": 450,
			// And 2 layers to 2 GPUs; 10 rows of 16 bytes; 9 operators.
			"all-reduce": 12 + 200, "hot-row exchange": 11 + 2, "optimiser": 135,
		}, nil},
		{"parameter server", timing.ParameterServer, "fae-2022", 2, []timing.Work{{Inputs: 8, Listed: 6, ColdRows: 5}}, map[string]float64{
			"loading inputs": 40,
			// Ids of 3 rows from each of 2 workers, 10.5 + 3; 2 calls and 6 rows, a third of
			// it; 80 bytes and 3 rows to each, 21 + 16.
			"pull": 13.5 + 22.1 + 37,
			// 8 operators of pooling and 20, of 15 us.
			"GPU": 420, "push": 37,
			// 2 calls and 5 rows, two thirds of it.
			"server's update": 43.4,
		}, nil},
		{"parameter server, slow memory", timing.ParameterServer, "fae-2022", 2, []timing.Work{{Inputs: 8, Listed: 6, ColdRows: 5}}, map[string]float64{
			"loading inputs": 40, "pull": 13.5 + 22.1 + 37, "GPU": 420, "push": 37,
			// Gradients of 2 workers, and parameters read and written: 4 x 80 bytes.
			"server's update": 43.4 + 32,
		}, map[string]float64{"stream_gb_per_s": 10e-3}},
		{"learning without an accelerator", timing.CPUHotline, "hotline-2024-a", 1, []timing.Work{
			{Inputs: 8, Popular: 8, Counted: 20, Promoted: 4}, {Inputs: 8, Popular: 8, Counted: 10, Promoted: 2, Demoted: 2},
		}, map[string]float64{
			// 20 lookups of 3 us; then 10 behind 12 us of the CPU's update.
			"learning": 60 + 12 + 30,
			// 64 bytes, 24, and an operator; two operators and two copies of 32.
			"hot-row copies": 34 + 64,
			// 16 lookups.
			"waiting for segregation": 2 * 48, "popular micro-batch": 2 * 300, "optimiser": 2 * 80, "update exposed": 12,
		}, nil},
		{"Hotline without an accelerator", timing.CPUHotline, "hotline-2024-a", 1, []timing.Work{
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, ColdCopies: 3, HotTable: 100}, {Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, ColdCopies: 3, HotTable: 100},
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
		{"ScratchPipe straw-man", timing.ScratchPipeStrawman, "hotline-2024-a", 1, scratchpad(2), map[string]float64{
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
		}, nil},
		{"ScratchPipe", timing.ScratchPipe, "hotline-2024-a", 1, scratchpad(2), map[string]float64{
			"loading inputs": 68,
			// Behind the second's ids at 108, 160.
			"plan": 200, "collect": 20, "exchange rows": 23,
			// Rows are there at 302; the host thread plans the second until 448 and collects
			// from its slots until 468. The second's are filled behind the first's training.
			"insert": 177 + 20,
			"GPU":    2 * 300, "optimiser": 2 * 80,
		}, nil},
		{"ScratchPipe, full", timing.ScratchPipe, "hotline-2024-a", 1, scratchpad(8), map[string]float64{
			// Ids of the third are there at 148. Plan, 160, and Collect, 20, of the first end at
			// 308 and 328, of the second at 488 and 508; the third is planned until 668, when
			// the first is inserted, 20, and collected until 708, and the fourth planned until 868.
			// The first's rows follow the ids of the fifth, at 376, and take 26.
			"loading inputs": 68, "plan": 240, "collect": 20, "exchange rows": 74, "insert": 286 + 7*20,
			// Behind that the host thread trains in turn, inserts the next, collects the one
			// two behind it and plans the one behind that, as long as there are any.
			"GPU": 5*480 + 320 + 2*300, "optimiser": 8 * 80,
		}, nil},
		{"ScratchPipe ideal", timing.ScratchPipeIdeal, "hotline-2024-a", 1, scratchpad(2), map[string]float64{
			// Nobody looks at the second.
			"loading inputs": 68, "plan": 160, "collect": 20, "exchange rows": 23, "insert": 177 + 20, "GPU": 2 * 300, "optimiser": 2 * 80,
		}, nil},
		{"the same, slow segregation", timing.CPUHotline, "hotline-2024-a", 1, []timing.Work{
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, ColdCopies: 3}, {Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, ColdCopies: 3},
		}, map[string]float64{
			"loading inputs": 2 * 40,
			// 1600. The second's are done at 3207, when it has been loaded at 2351.
			"waiting for segregation": 1560 + 856,
			// Collected when the update behind the segregation has ended at 3221, 14 later.
			"popular micro-batch": 321 + 335, "non-popular micro-batch": 2 * 300, "optimiser": 2 * 90, "update exposed": 31,
		}, map[string]float64{"segregate_us": 100}},
		{"cDLRM, sceptic, 2 GPUs", timing.CDLRM, "sceptic", 2, []timing.Work{
			{Inputs: 8, Window: 16, Unique: 6, Cached: 5, HotTable: 10, Averaged: true},
			{Inputs: 8, HotTable: 10, Victims: 3, Flushed: 2, Averaged: true},
			{Inputs: 8, Window: 8, Unique: 4, Cached: 2, Evicted: 2, Again: 1, HotTable: 10, Averaged: true},
		}, map[string]float64{
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
		}, nil},
		{"cDLRM, release, 1 GPU", timing.CDLRM, "fae-2022", 1, []timing.Work{
			{Inputs: 8, Window: 8, Unique: 3, Cached: 2, HotTable: 10, Victims: 1, Flushed: 1},
		}, map[string]float64{
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
		}, nil},
		{"cDLRM, from the middle of a window", timing.CDLRM, "sceptic", 1, []timing.Work{{Inputs: 8}, {Inputs: 8, Window: 16, Unique: 6}}, map[string]float64{
			// The window is prefetched from the beginning on, 101 as above.
			"GPU": 2 * 25, "optimiser": 2 * 8, "waiting for look-ahead": 101 - 33, "caching": 18,
		}, nil},
		{"cDLRM, slow eviction", timing.CDLRM, "sceptic", 1, []timing.Work{
			{Inputs: 8, Victims: 1, Flushed: 100}, {Inputs: 8, Victims: 1, Flushed: 1},
		}, map[string]float64{
			// The first: 10/3, 21 and an operator. It ends at 58.3, and then its victims go
			// back: an operator, 120 to the host, and 109/3, at 215.7. The second waits.
			"victims": 25.3 + 157.4 + 25.3, "GPU": 2 * 25, "optimiser": 2 * 8,
			// An operator, 21, 10/3.
			"write-back exposed": 25.3,
		}, nil},
		{"cDLRM, fetched again", timing.CDLRM, "sceptic", 1, []timing.Work{
			{Inputs: 8, Victims: 1, Flushed: 100}, {Inputs: 8, Window: 1, Unique: 1, Cached: 1, Again: 1},
		}, map[string]float64{
			// From 58.3 on: when the victims have gone back at 215.7, 10/3, 21, an operator.
			"caching": 182.7,
			"victims": 25.3, "GPU": 2 * 25, "optimiser": 2 * 8,
		}, nil},
		{"cDLRM, victims that were evicted", timing.CDLRM, "sceptic", 1, []timing.Work{
			{Inputs: 8, Window: 1, Unique: 1, Evicted: 1000}, {Inputs: 8, Window: 1, Unique: 1, Victims: 1},
		}, map[string]float64{
			// 2 lookups of 3 us, a third of 9 + 1.
			"waiting for look-ahead": 9.3,
			// A look-up of 3; an operator and 1020 to the host; again a look-up.
			"caching": 1024 + 3,
			// Evicted rows are back at 1033.3 and 1009/3 later, when the second mini-batch
			// could have begun at 1069.3; then 10/3, 21, an operator.
			"victims": 300.4 + 25.3, "GPU": 2 * 25, "optimiser": 2 * 8,
		}, nil},
		{"cDLRM, slow look-ahead", timing.CDLRM, "fae-2022", 1, []timing.Work{{Inputs: 8, Window: 8}, {Inputs: 8, Window: 8}}, map[string]float64{
			// 40 and 1600; the second window, which was loaded meanwhile, is listed from 1640
			// to 3240. The first has ended at 2020.
			"waiting for look-ahead": 1640 + 1220, "GPU": 2 * 300, "optimiser": 2 * 80,
		}, map[string]float64{"segregate_us": 100}},
		{"cDLRM, slow loader", timing.CDLRM, "fae-2022", 1, []timing.Work{{Inputs: 8, Window: 8}, {Inputs: 8, Window: 8}, {Inputs: 8, Window: 8}}, map[string]float64{
			// 400 and 48. The second window is loaded from 400 to 800 and listed at 848; the
			// first has ended at 828. The third is loaded from 800 to 1200, and listed at 1248
			// behind the second's end at 1228.
			"waiting for look-ahead": 448 + 20 + 20, "GPU": 3 * 300, "optimiser": 3 * 80,
		}, map[string]float64{"loader_us": 10}},
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
			{Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6}, {Inputs: 8, Listed: 6, ColdRows: 6, Recent: 2}}, map[string]float64{
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
		{"FAE", timing.FAE, "fae-2022", []timing.Work{{Inputs: 8, HotTable: 10, Listed: 9, Promoted: 2}}, map[string]float64{
			// Rows and states: 14 of the host, 64 bytes, 2 operators.
			"hot-row copies": 14 + 4 + 20,
			"loading inputs": 40,
			// 10 operators of the embedding.
			"GPU": 300,
			// 20, and 3 a table of the states of rows.
			"optimiser": 260,
		}},
		{"cDLRM", timing.CDLRM, "fae-2022", []timing.Work{{Inputs: 8, Window: 8, Unique: 3, Cached: 2, Evicted: 1, HotTable: 10, Listed: 9}}, map[string]float64{
			// The loader's 40, 16 lookups, and twice a third of 63.1.
			"waiting for look-ahead": 130.1,
			// 3 look-ups; 2 operators, 14 + 2 to the host; 14 + 4 back, 2 operators.
			"caching": 9 + 36 + 38,
			"GPU":     300, "optimiser": 260,
		}},
	} {
		p := tinyPlan(t, c.profile, 1)
		p.Model.Optimiser = dlrm.Adagrad
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
	run, err = timing.Time(timing.CDLRM, p, []timing.Work{{Inputs: 16, Window: 16, Unique: 6, HotTable: 10, Victims: 8, Averaged: true}})
	require.NoError(t, err)
	got = phases(run)
	require.Equal(t, 101.0, got["waiting for look-ahead"], "all inputs are looked at in one server")
	require.Equal(t, 11.0+20, got["cache broadcast"], "160 bytes")
	require.Equal(t, 11.0+30, got["cache average"], "3/2 of 160 bytes")
	require.Equal(t, 5.7+22+1, got["victims"], "all are in one server, and each GPU fetches 2")
}
