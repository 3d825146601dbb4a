package timing_test

import (
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// total is what the events of one resource and label sum up to.
type total struct {
	kernels int
	bytes   int64
	ms      float64
}

func totals(l *timeline.Timeline) map[string]total {
	m := map[string]total{}
	for _, e := range l.Events() {
		key := e.Resource + ": " + e.Label
		t := m[key]
		t.kernels, t.bytes, t.ms = t.kernels+e.Kernels, t.bytes+e.Bytes, t.ms+e.Work.Seconds()*1e3
		m[key] = t
	}
	for key, t := range m {
		t.ms = math.Round(t.ms*1e9) / 1e9
		m[key] = t
	}
	return m
}

// seconds of the constants of v100, in ms, from their definitions.
func gemm(m, n, k float64) float64 {
	return 9e-3 + math.Max((2*m*n*k*1e-9+0.05)/13.5, 4*(m*k+k*n+m*n)/550e6)
}
func elementwise(flops, bytes float64) float64 {
	return math.Max(flops/15.441e9, bytes/(816.95e6*0.79))
}

// layers are the products and the activations of the MLPs of RM2 for n inputs.
func layers(n float64) float64 {
	t := 0.0
	for i, w := range [][2]float64{{13, 512}, {512, 256}, {256, 64}, {64, 16}, {367, 512}, {512, 256}, {256, 1}} {
		t += gemm(n, w[1], w[0]) + gemm(w[1], w[0], n) + elementwise(3*n*w[1], 24*n*w[1])
		if i > 0 {
			t += gemm(n, w[0], w[1])
		}
	}
	return t
}

// Every kernel and every byte of two mini-batches of RM2 on two GPUs is in one
// event: counts from the models' shapes, times from the constants' definitions.
func TestNothingIsLost(t *testing.T) {
	const dense = 475985 // parameters
	hybrid := plan(t, "sceptic", "rm2", 2)
	_, line, err := timing.Trace(timing.Hybrid, hybrid, []timing.Work{{Inputs: 2048}, {Inputs: 2048}}, all)
	require.NoError(t, err)
	interaction := func(n float64) float64 { return 3 * elementwise(n*27*27*16, n*4*(27*16+367)) }
	vectors := int64(2048 * 26 * 64)
	requireTotals(t, map[string]total{
		"CPU: pool rows":                 {0, 2 * vectors, 0},
		"CPU: update rows":               {0, 4 * vectors, 0},
		"copies to GPUs: pooled vectors": {0, 2 * vectors, 2 * float64(vectors) / 11e6}, // by the link above the switch
		"copies to host: gradients":      {0, 2 * vectors, 2 * float64(vectors) / 11e6},
		"host thread: dispatch MLP":      {0, 0, 2 * 49 * 2.5e-3},
		"GPU: pooled vectors":            {2 * 7, 0, 0},
		"GPU: MLP":                       {2 * 49, 0, 2 * layers(1024)},
		"GPU: interaction and loss":      {2 * 30, 0, 2 * interaction(1024)},
		"GPU: optimiser":                 {2 * 28, 0, 2 * elementwise(2*dense, 12*dense)},
		"GPU network: all-reduce":        {0, 2 * 4 * dense, 2 * (25e-3 + 4*dense/47.9e6)},
	}, totals(line), "host thread: dispatch interaction and loss", "host thread: dispatch optimiser", "host thread: dispatch pooled vectors")

	p := plan(t, "sceptic", "rm2", 2)
	w := timing.Work{Inputs: 2048, Popular: 1500, HotRows: 700, ColdRows: 300, Listed: 1100, HotTable: 5000,
		Classify: 3 * des.Microsecond, Gather: 5 * des.Microsecond, Update: 7 * des.Microsecond}
	moves := w
	moves.Promoted, moves.Demoted, moves.Learn, moves.ReadOut = 40, 30, 2*des.Microsecond, 11*des.Microsecond
	_, line, err = timing.Trace(timing.Hotline, p, []timing.Work{w, moves}, all)
	require.NoError(t, err)
	gather := func(rows float64) float64 { return 1.55 * (4*rows + 64*rows) / 816.95e6 }
	embedding := 3 * (gather(750*26) + 1.55*750*26*(96+64)/816.95e6)
	requireTotals(t, map[string]total{
		"GPU: embedding":                   {2 * 16, 0, 2 * embedding},
		"GPU: MLP":                         {4 * 49, 0, 2 * (layers(750) + layers(274))},
		"GPU: interaction and loss":        {4 * 30, 0, 2 * (interaction(750) + interaction(274))},
		"GPU: optimiser":                   {2 * 28, 0, 2 * elementwise(2*dense, 12*dense)},
		"GPU: mark pooled vectors":         {2, 0, 2 * elementwise(274*26*16, 274*26*64)},
		"GPU: check pooled vectors":        {2, 0, 2 * elementwise(274*26*16, 274*26*64)},
		"GPU: hot rows":                    {2, 0, 2 * elementwise(2*700*16, 12*700*16)},
		"GPU: gradients of cold rows":      {2, 0, 2 * 2 * 1.55 * (4*152 + 64*150) / 816.95e6}, // ids in sectors of 32 bytes
		"GPU: collect hot rows":            {1, 0, 2 * 1.55 * (128 + 64*30) / 816.95e6},
		"GPU: scatter hot rows":            {1, 0, 2 * 1.55 * (160 + 64*40) / 816.95e6},
		"CPU: scatter rows":                {0, 30 * 64, 2 * 30 * 64 / 51e6},
		"CPU: collect rows":                {0, 40 * 64, 2 * 40 * 64 / 51e6},
		"copies to host: hot rows to host": {0, 30 * 64, 7e-3 + 30*64/11e6},
		"copies to host: update list":      {0, 2 * 300 * 8, 2 * (7e-3 + 300*8/11e6)},
		"copies to GPUs: hot rows to GPUs": {0, 2 * 40 * 64, 7e-3 + 40*64/11e6},
		"GPU network: all-reduce":          {0, 2 * 4 * dense, 2 * (25e-3 + 4*dense/47.9e6)},
		"GPU network: exchange hot rows":   {0, 2 * 1100 * 72, 2 * (25e-3 + 1100*72/2/47.9e6)},
		"accelerator: learn":               {0, 0, 2e-3},
		"accelerator: read out hot set":    {0, 0, 11e-3},
		"accelerator: classify":            {0, 0, 6e-3},
		"accelerator: gather":              {0, 2 * 300 * 64, 10e-3},
		"accelerator: update":              {0, 2 * 2 * 300 * 64, 14e-3},
		"driver: doorbell":                 {0, 0, 8 * 5e-3},
		"driver: interrupt":                {0, 0, 8 * 5e-3},
	}, totals(line), "host thread: dispatch MLP", "host thread: dispatch interaction and loss", "host thread: dispatch optimiser",
		"host thread: dispatch embedding", "host thread: dispatch hot rows", "host thread: dispatch gradients of cold rows",
		"host thread: dispatch collect hot rows", "host thread: dispatch mark pooled vectors", "host thread: dispatch check pooled vectors", "host thread: dispatch scatter hot rows")
}

// TestNothingIsLostOnGPUs is the same for tables on the GPUs, each with half of
// them, and for Hotline without an accelerator.
func TestNothingIsLostOnGPUs(t *testing.T) {
	_, line, err := timing.Trace(timing.ModelParallel, plan(t, "hotline-2024-b", "rm2", 2), []timing.Work{{Inputs: 2048}}, all)
	require.NoError(t, err)
	gather := func(rows float64) float64 { return 1.55 * (4*rows + 64*rows) / 816.95e6 }
	forward := gather(2048*13) + 1.55*2048*13*(96+64)/816.95e6
	vectors := int64(1024 * 26 * 64)
	got := totals(line)
	require.Equal(t, 13*16, got["GPU: pool rows"].kernels+got["GPU: update rows"].kernels)
	require.InEpsilon(t, forward, got["GPU: pool rows"].ms, 1e-3)
	require.InEpsilon(t, 2*forward, got["GPU: update rows"].ms, 1e-3)
	require.Equal(t, total{0, vectors, math.Round((25e-3+float64(vectors)/2/47.9e6)*1e9) / 1e9}, got["GPU network: pooled vectors"])
	require.Equal(t, vectors, got["GPU network: gradients of vectors"].bytes)
	require.EqualValues(t, 4*475985, got["GPU network: all-reduce"].bytes)
	require.InEpsilon(t, layers(1024), got["GPU: MLP"].ms, 1e-3)
	require.Equal(t, 28, got["GPU: optimiser"].kernels)

	_, line, err = timing.Trace(timing.ModelParallelDLRM, plan(t, "fae-2022", "rm2", 2), []timing.Work{{Inputs: 2048}}, all)
	require.NoError(t, err)
	reference := totals(line)
	require.Equal(t, got["GPU: pool rows"], reference["GPU: pool rows"])
	require.Equal(t, total{7 * 26, 0, 0}, reference["GPU: pooled vectors"])
	require.Equal(t, total{0, 4 * 475985, 7 * 2 * 0.15}, reference["host thread: replicate"])

	w := timing.Work{Inputs: 2048, Popular: 1500, HotRows: 700, ColdRows: 300, ColdCopies: 340, Listed: 1100, HotTable: 5000}
	_, line, err = timing.Trace(timing.CPUHotline, plan(t, "sceptic", "rm2", 2), []timing.Work{w}, all)
	require.NoError(t, err)
	got = totals(line)
	require.InEpsilon(t, 2048*26*0.33e-3, got["CPU: segregate"].ms, 1e-3)
	require.EqualValues(t, 300*64, got["CPU: collect rows"].bytes)
	require.EqualValues(t, 2*300*64, got["CPU: update rows"].bytes)
	require.EqualValues(t, 340*64, got["copies to GPUs: cold rows"].bytes)
	require.EqualValues(t, 300*64, got["copies to host: gradients of cold rows"].bytes)
	require.Equal(t, 2*16, got["GPU: embedding"].kernels)
	require.InEpsilon(t, layers(750)+layers(274), got["GPU: MLP"].ms, 1e-3)
	require.Equal(t, 1, got["GPU: hot rows"].kernels)
	require.EqualValues(t, 1100*72, got["GPU network: exchange hot rows"].bytes)
}

// TestNothingIsLostOfBaselines is the same for a static cache and for a parameter
// server.
func TestNothingIsLostOfBaselines(t *testing.T) {
	const dense = 475985 // parameters
	p := plan(t, "sceptic", "rm2", 2)
	gather := func(rows float64) float64 { return 1.55 * (4*rows + 64*rows) / 816.95e6 }
	embedding := 3 * (gather(1024*26) + 1.55*1024*26*(96+64)/816.95e6)
	w := timing.Work{Inputs: 2048, HotRows: 700, ColdRows: 300, ColdCopies: 340, Missed: 500, MissedBags: 480, Listed: 1100, HotTable: 5000}
	_, line, err := timing.Trace(timing.StaticCache, p, []timing.Work{w}, all)
	require.NoError(t, err)
	interaction := 3 * elementwise(1024*27*27*16, 1024*4*(27*16+367))
	requireTotals(t, map[string]total{
		"copies to GPUs: ids":                 {0, 2048 * 26 * 8, 0},
		"GPU: hits":                           {1, 0, elementwise(1024*26, 1024*26*16)},
		"copies to host: missed ids":          {0, 500 * 8, 0},
		"CPU: gather missed rows":             {0, 500 * 64, 0},
		"copies to GPUs: missed rows":         {0, 340 * 64, 0},
		"GPU: embedding":                      {16, 0, embedding},
		"GPU: MLP":                            {49, 0, layers(1024)},
		"GPU: interaction and loss":           {30, 0, interaction},
		"GPU network: all-reduce":             {0, 4 * dense, 0},
		"GPU network: exchange hot rows":      {0, 1100 * 72, 0},
		"GPU: optimiser":                      {28, 0, 0},
		"GPU: hot rows":                       {1, 0, elementwise(2*700*16, 12*700*16)},
		"copies to host: gradients of misses": {0, 480 * 64, 0},
		"CPU: update rows":                    {0, 2 * 500 * 64, 0},
	}, totals(line), "host thread: dispatch hits", "host thread: dispatch embedding", "host thread: dispatch MLP", "host thread: dispatch interaction and loss",
		"host thread: dispatch optimiser", "host thread: dispatch hot rows")

	_, line, err = timing.Trace(timing.ParameterServer, p, []timing.Work{{Inputs: 2048, Listed: 1100, ColdRows: 900}}, all)
	require.NoError(t, err)
	requireTotals(t, map[string]total{
		"copies to host: ids":          {0, 1100 * 8, 0},
		"CPU: collect rows":            {0, 1100 * 64, 0},
		"copies to GPUs: parameters":   {0, 2*4*dense + 1100*64, 0},
		"GPU: embedding":               {15, 0, embedding},
		"GPU: MLP":                     {49, 0, layers(1024)},
		"GPU: interaction and loss":    {30, 0, interaction},
		"copies to host: gradients":    {0, 2*4*dense + 1100*64, 0},
		"CPU: update rows":             {0, 2 * 900 * 64, 0},
		"CPU: update dense parameters": {0, 4 * 4 * dense, 4 * 4 * dense / 51e6},
	}, totals(line), "host thread: dispatch embedding", "host thread: dispatch MLP", "host thread: dispatch interaction and loss")

	p.Model.Optimiser = dlrm.Adagrad
	_, line, err = timing.Trace(timing.ParameterServer, p, []timing.Work{{Inputs: 2048, Listed: 1100, ColdRows: 900}}, all)
	require.NoError(t, err)
	require.EqualValues(t, 6*4*dense, totals(line)["CPU: update dense parameters"].bytes)
	require.EqualValues(t, 4*900*64, totals(line)["CPU: update rows"].bytes)
}

// TestNothingOfSwapsIsLost: the rows of FAE's swaps, to both GPUs and from one.
func TestNothingOfSwapsIsLost(t *testing.T) {
	for optimiser, tables := range map[dlrm.Optimiser]int{dlrm.SGD: 1, dlrm.Adagrad: 2} {
		p := plan(t, "sceptic", "rm2", 2)
		p.Model.Optimiser = optimiser
		_, line, err := timing.Trace(timing.FAE, p, []timing.Work{{Inputs: 2048, Cold: true}, {Inputs: 2048, Promoted: 4000, HotTable: 4000, Listed: 3000}, {Inputs: 2048, Cold: true, Demoted: 3000}}, all)
		require.NoError(t, err)
		got := totals(line)
		rows := int64(64 * tables)
		require.Equal(t, total{0, 4000 * rows, math.Round(2*float64(4000*rows)/51e6*1e9) / 1e9}, got["CPU: collect rows"])
		require.Equal(t, total{0, 3000 * rows, math.Round(2*float64(3000*rows)/51e6*1e9) / 1e9}, got["CPU: scatter rows"])
		require.Equal(t, 2*4000*rows, got["copies to GPUs: hot rows to GPUs"].bytes)
		require.Equal(t, 3000*rows, got["copies to host: hot rows to host"].bytes)
		require.Equal(t, []int{tables, tables}, []int{got["GPU: scatter hot rows"].kernels, got["GPU: collect hot rows"].kernels})
		require.Equal(t, 3*49, got["GPU: MLP"].kernels)
		require.EqualValues(t, 2*2048*26*64, got["copies to GPUs: pooled vectors"].bytes)
		require.EqualValues(t, 3000*72, got["GPU network: exchange hot rows"].bytes)
	}
}

// TestNothingIsLostInCaches is the same for cDLRM: two windows, of two mini-batches and
// of one.
func TestNothingIsLostInCaches(t *testing.T) {
	const dense = 475985 // parameters
	for optimiser, tables := range map[dlrm.Optimiser]int{dlrm.SGD: 1, dlrm.Adagrad: 2} {
		p := plan(t, "sceptic", "rm2", 2)
		p.Model.Optimiser = optimiser
		_, line, err := timing.Trace(timing.CDLRM, p, []timing.Work{
			{Inputs: 2048, Window: 4096, Unique: 9000, Cached: 8000, HotTable: 100_000, Victims: 61, Flushed: 50, Listed: 7000},
			{Inputs: 2048, HotTable: 100_000, Listed: 7000, Averaged: true},
			{Inputs: 2048, Window: 2048, Unique: 5000, Cached: 3000, Evicted: 2000, Again: 70, HotTable: 100_000, Listed: 7000},
		}, all)
		require.NoError(t, err)
		got, n := totals(line), float64(tables)
		collect := func(rows float64) float64 { return n * (120e-3 + 30e-6*0.5*rows) / 3 }
		gather := func(rows float64) float64 { return 1.55 * (4*rows + 64*rows) / 816.95e6 }
		embedding := 3 * (gather(1024*26) + 1.55*1024*26*(96+64)/816.95e6)
		k := int64(tables)
		want := map[string]total{
			"prefetching process: list rows":          {0, 0, (4096 + 2048) * 26 * 0.33e-3},
			"prefetching process: copy rows to queue": {0, k * 14000 * 64, collect(9000) + collect(5000)},
			"host thread: look up occupancy":          {0, 0, 14000 * 0.33e-3},
			"CPU: fetch rows again":                   {0, k * 70 * 64, collect(70)},
			"CPU: collect victims":                    {0, k * 61 * 64, collect(61)},
			"eviction process: write rows back":       {0, k * (50 + 2000) * 64, collect(50) + collect(2000)},
			"GPU: collect evicted rows":               {tables, 0, n * 2 * gather(2000)},
			"copies to host: evicted rows":            {0, k * 2000 * 64, 7e-3 + n*2000*64/11e6},
			"copies to GPUs: cached rows":             {0, k * 11000 * 64, 2*7e-3 + n*11000*64/11e6},
			"GPU: scatter cached rows":                {2 * tables, 0, n * 2 * (gather(8000) + gather(3000))},
			"GPU network: broadcast caches":           {0, 2 * k * 6_400_000, 2 * (25e-3 + n*6.4e6/47.9e6)},
			"GPU network: average caches":             {0, 6_400_000, 25e-3 + 6.4e6/47.9e6},
			"copies to GPUs: victims":                 {0, k * 2 * 31 * 64, 7e-3 + n*31*64/11e6},
			"GPU: scatter victims":                    {tables, 0, n * 2 * 1.55 * (128 + 64*31) / 816.95e6}, // ids in sectors of 32 bytes
			"GPU: collect victims":                    {tables, 0, n * 2 * 1.55 * (128 + 64*25) / 816.95e6},
			"copies to host: updated victims":         {0, k * 2 * 25 * 64, 7e-3 + n*25*64/11e6},
			"GPU: embedding":                          {3 * 16, 0, 3 * embedding},
			"GPU: MLP":                                {3 * 49, 0, 3 * layers(1024)},
			"GPU: interaction and loss":               {3 * 30, 0, 3 * 3 * elementwise(1024*27*27*16, 1024*4*(27*16+367))},
			"GPU: optimiser":                          {3 * 28, 0, 3 * elementwise(2*dense, 12*dense)},
			"GPU network: all-reduce":                 {0, 3 * 4 * dense, 3 * (25e-3 + 4*dense/47.9e6)},
		}
		leftOut := []string{"host thread: dispatch MLP", "host thread: dispatch interaction and loss", "host thread: dispatch optimiser", "host thread: dispatch embedding",
			"host thread: dispatch collect evicted rows", "host thread: dispatch scatter cached rows", "host thread: dispatch scatter victims", "host thread: dispatch collect victims"}
		if optimiser == dlrm.Adagrad {
			want["GPU: optimiser"] = total{3 * 7 * 2 * 5, 0, 3 * elementwise(7*dense, 44*dense)}
			want["GPU: states of rows"] = total{3 * 3, 0, 3 * elementwise(5*3500*16, 32*3500*16)}
			leftOut = append(leftOut, "host thread: dispatch states of rows")
		}
		requireTotals(t, want, got, leftOut...)
	}
}

// The states of Adagrad in mini-batches of RM2 on two GPUs.
func TestNoStateIsLost(t *testing.T) {
	const dense = 475985 // parameters
	p := plan(t, "sceptic", "rm2", 2)
	p.Model.Optimiser = dlrm.Adagrad
	_, line, err := timing.Trace(timing.Hybrid, p, []timing.Work{{Inputs: 2048}}, all)
	require.NoError(t, err)
	got := totals(line)
	require.EqualValues(t, 4*2048*26*64, got["CPU: update rows"].bytes)
	require.InEpsilon(t, 4*got["CPU: pool rows"].ms, got["CPU: update rows"].ms, 1e-6)
	require.Equal(t, 7*2*5, got["GPU: optimiser"].kernels)
	require.InEpsilon(t, elementwise(7*dense, 44*dense), got["GPU: optimiser"].ms, 1e-3)

	w := timing.Work{Inputs: 2048, Popular: 1500, HotRows: 7000, ColdRows: 200_001, Listed: 7100, HotTable: 9000, Update: 7 * des.Microsecond}
	moves := timing.Work{Inputs: 2048, Popular: 2048, Promoted: 40, Demoted: 30, ReadOut: 11 * des.Microsecond}
	_, line, err = timing.Trace(timing.Hotline, p, []timing.Work{w, moves}, all)
	require.NoError(t, err)
	got = totals(line)
	for key, want := range map[string]total{
		"GPU: hot rows":                          {4, 0, elementwise(7*7000*16, 44*7000*16)},
		"GPU: gradients of cold rows":            {1, 0, 2 * 1.55 * (4*100_001 + 64*100_001) / 816.95e6},
		"copies to host: gradients of cold rows": {0, 2 * 100_001 * 64, 2 * 100_001 * 64 / 11e6},
		"CPU: states of cold rows":               {0, 2 * 200_001 * 64, 2. / 3 * (120e-3 + 30e-6*0.5*200_001)},
		"copies to GPUs: steps of cold rows":     {0, 2 * 100_001 * 64, 2 * 100_001 * 64 / 11e6},
		"GPU: collect hot rows":                  {2, 0, 2 * 2 * 1.55 * (128 + 64*30) / 816.95e6},
		"GPU: scatter hot rows":                  {2, 0, 2 * 2 * 1.55 * (160 + 64*40) / 816.95e6},
		"CPU: scatter rows":                      {0, 2 * 30 * 64, 2 * 2 * 30 * 64 / 51e6},
		"CPU: collect rows":                      {0, 2 * 40 * 64, 2 * 2 * 40 * 64 / 51e6},
		"copies to host: hot rows to host":       {0, 2 * 30 * 64, 7e-3 + 2*30*64/11e6},
		"copies to GPUs: hot rows to GPUs":       {0, 2 * 2 * 40 * 64, 7e-3 + 2*40*64/11e6},
	} {
		require.Equal(t, want.kernels, got[key].kernels, key)
		require.Equal(t, want.bytes, got[key].bytes, key)
		require.InEpsilon(t, want.ms, got[key].ms, 2e-3, key)
	}

	_, line, err = timing.Trace(timing.CPUHotline, p, []timing.Work{w}, all)
	require.NoError(t, err)
	require.EqualValues(t, 4*200_001*64, totals(line)["CPU: update rows"].bytes)
	require.Equal(t, 4, totals(line)["GPU: hot rows"].kernels)
	each := plan(t, "hotline-2024-b", "rm2", 2)
	each.Model.Optimiser = dlrm.Adagrad
	_, line, err = timing.Trace(timing.ModelParallel, each, []timing.Work{{Inputs: 2048}}, all)
	require.NoError(t, err)
	states := totals(line)["GPU: states of rows"]
	require.Equal(t, 3*13, states.kernels)
	require.InEpsilon(t, elementwise(5*2048*13*16, 32*2048*13*16), states.ms, 1e-3)

	p.Nodes = 2
	_, line, err = timing.Trace(timing.Hotline, p, []timing.Work{w}, all)
	require.NoError(t, err)
	require.EqualValues(t, 2*100_001*64, totals(line)["CPU: states of cold rows"].bytes, "each server has half of the rows")
	require.EqualValues(t, 2*50_001*64, totals(line)["copies to GPUs: steps of cold rows"].bytes)
}

// batched is the time of products of slices.
func batched(count, m, n, k float64) float64 {
	return 9e-3 + math.Max((2*count*m*n*k*1e-9+0.05)/13.5, 4*count*(m*k+k*n+m*n)/550e6)
}

// Every product of slices, every row and every gradient of EL-Rec and TT-Rec, on two
// GPUs: five tables in tensor-train form, slices of 2 x 32, 32 x 4 x 32 and 32 x 2.
func TestNoProductIsLost(t *testing.T) {
	const dense, slices = 475985, 2*32 + 32*4*32 + 32*2
	p := plan(t, "hotline-2024-b", "rm2", 2)
	tt := timing.TT{Dims: [3]int{2, 4, 2}, Rank: 32, Values: 1_000_000, Bags: 5, PlainBags: 21, PlainLookups: 21, Queue: 2}
	w := timing.Work{Inputs: 2048, TTLookups: 10240, TTPrefixes: 3000, TTRows: 5000, TTBackward: 4000, Listed: 9000, HotRows: 2000, HotTable: 7000, ColdRows: 3000, Recent: 500}
	_, line, err := timing.Trace(timing.ELRec(tt), p, []timing.Work{w}, all)
	require.NoError(t, err)
	got := totals(line)
	gather := func(rows float64) float64 { return 1.55 * (4*rows + 64*rows) / 816.95e6 }
	pool := func(bags, rows float64) float64 { return gather(rows) + 1.55*bags*(96+64)/816.95e6 }
	backward := 5 * (batched(400, 8, 32, 2) + batched(400, 32, 2, 8) + batched(400, 2, 32, 128) + batched(400, 32, 128, 2))
	for key, want := range map[string]total{
		"GPU: distinct TT rows":             {10, 0, elementwise(0, 16*5120)},
		"GPU: two TT slices":                {5, 0, 5 * batched(300, 2, 128, 32)},
		"GPU: third TT slice":               {5, 0, 5 * batched(500, 8, 2, 32)},
		"GPU: pool TT rows":                 {5, 0, pool(1024*5, 5120)},
		"GPU: embedding":                    {21 * 16, 0, 3 * pool(1024*21, 1024*21)},
		"GPU: MLP":                          {49, 0, layers(1024)},
		"GPU: sum gradients of TT rows":     {10, 0, elementwise(5120*16, 8*5120*16)},
		"GPU: TT gradients":                 {20, 0, backward + elementwise(2*2000*slices, 4*2000*slices)},
		"GPU: TT cores":                     {15, 0, elementwise(2e6, 12e6)},
		"GPU: optimiser":                    {28, 0, elementwise(2*dense, 12*dense)},
		"GPU: rows from the cache":          {1, 0, 2 * 1.55 * (4*504 + 64*500) / 816.95e6},
		"GPU: rows to the cache":            {1, 0, 2 * gather(3000)},
		"GPU network: gradients of TT rows": {0, 2500 * 72, 25e-3 + 2500*72/2/47.9e6},
		"GPU network: all-reduce":           {0, 4 * dense, 25e-3 + 4*dense/47.9e6},
		"GPU network: all-reduce TT cores":  {0, 4e6, 25e-3 + 4e6/47.9e6},
		"CPU: fetch rows":                   {0, 3000 * 64, 0},
		"CPU: update rows":                  {0, 2 * 3000 * 64, 0},
		"pageable copies: fetched rows":     {0, 2 * 3000 * 64, 3000 * 64 / 2.33e6},
		"pageable copies: steps of rows":    {0, 2 * 1500 * 72, 1500 * 72 / 2.33e6},
	} {
		require.Equal(t, want.kernels, got[key].kernels, key)
		require.Equal(t, want.bytes, got[key].bytes, key)
		if want.ms > 0 {
			require.InEpsilon(t, want.ms, got[key].ms, 2e-3, key)
		}
	}

	one := plan(t, "sceptic", "rm2", 1)
	_, line, err = timing.Trace(timing.ELRec(tt), one, []timing.Work{w}, all)
	require.NoError(t, err)
	got = totals(line)
	require.NotContains(t, got, "GPU: TT cores", "fused into the products")
	require.Equal(t, 4, got["GPU: TT gradients"].kernels, "of all tables together")

	naive := timing.Work{Inputs: 2048, TTLookups: 10240, TTPrefixes: 10240, TTRows: 10240, TTBackward: 10240}
	_, line, err = timing.Trace(timing.TTRec(tt), one, []timing.Work{naive}, all)
	require.NoError(t, err)
	got = totals(line)
	require.NotContains(t, got, "GPU: distinct TT rows")
	require.InEpsilon(t, batched(10240, 2, 128, 32), got["GPU: two TT slices"].ms, 1e-3)
	require.InEpsilon(t, elementwise(10240*slices, 12*10240*slices), got["GPU: sum TT gradients"].ms, 1e-3)
	require.InEpsilon(t, elementwise(2e6, 12e6), got["GPU: TT cores"].ms, 1e-3)
	require.Zero(t, got["GPU network: gradients of TT rows"].bytes)

	// Each of two servers fetches half of the rows from its memory.
	p.Nodes = 2
	_, line, err = timing.Trace(timing.ELRec(tt), p, []timing.Work{w}, all)
	require.NoError(t, err)
	got = totals(line)
	require.EqualValues(t, 1500*64, got["CPU: fetch rows"].bytes)
	require.EqualValues(t, 3000*64, got["GPU network: rows of other servers"].bytes)
	require.EqualValues(t, 2*3000*64, got["pageable copies: fetched rows"].bytes)
}

// The operators of a TBSM: MLPs of every time step, the product of its attention,
// its attention and its head once.
func TestTimeSteps(t *testing.T) {
	_, line, err := timing.Trace(timing.Hybrid, plan(t, "sceptic", "rm1", 1), []timing.Work{{Inputs: 256}}, all)
	require.NoError(t, err)
	got := totals(line)
	require.Equal(t, 7*(21*3+1+3+2), got["GPU: MLP"].kernels)
	require.Equal(t, 30+21*18, got["GPU: interaction and loss"].kernels)
	require.Equal(t, 10*(3+1+3+2), got["GPU: optimiser"].kernels, "of Adagrad")
	require.EqualValues(t, 256*63*64, got["copies to GPUs: pooled vectors"].bytes)
}

// requireTotals compares; what is left out has a total of its own elsewhere.
func requireTotals(t *testing.T, want, got map[string]total, leftOut ...string) {
	t.Helper()
	for _, key := range leftOut {
		require.Contains(t, got, key)
		delete(got, key)
	}
	for key, w := range want {
		g := got[key]
		require.Equal(t, w.kernels, g.kernels, key)
		require.Equal(t, w.bytes, g.bytes, key)
		if w.ms > 0 {
			require.InEpsilon(t, w.ms, g.ms, 1e-3, key)
		}
		delete(got, key)
	}
	require.Empty(t, got)
}

// Phases and chains add up, whatever is asked for.
func TestTimesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := timing.Plan{Machine: machine.Default(), Model: model(rapid.SampledFrom([]string{"rm1", "rm2", "rm3", "rm4"}).Draw(t, "model")),
			GPUs: rapid.IntRange(1, 8).Draw(t, "gpus"), Nodes: rapid.IntRange(1, 4).Draw(t, "nodes")}
		choose := func(attribute string) string {
			c := timing.Choices[attribute]
			return c[rapid.IntRange(0, len(c)-1).Draw(t, attribute)][0]
		}
		p.Profile = timing.Profile{Processes: choose("processes"), Launch: choose("launch"), Loader: choose("loader"), Tables: choose("tables"),
			CPU: choose("cpu"), Copies: choose("copies"), HotExchange: choose("hot_exchange"), Slices: choose("slices"), Misses: choose("misses"),
			Replicate: rapid.Bool().Draw(t, "replicate"), Pipelined: rapid.Bool().Draw(t, "pipelined")}
		count := func(most int, name string) int { return rapid.IntRange(0, most).Draw(t, name) }
		took := func(name string) des.Time { return des.Time(count(1e9, name)) }
		works := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) timing.Work {
			n := count(5000, "inputs")
			return timing.Work{Inputs: n, Popular: count(n, "popular"), Cold: rapid.Bool().Draw(t, "cold"), HotRows: count(9999, "hot"),
				ColdRows: count(9999, "cold rows"), Listed: count(9999, "listed"), HotTable: count(9999, "table"), Promoted: count(99, "promoted"),
				Demoted: count(99, "demoted"), Learn: took("learn"), ReadOut: took("read-out"), Classify: took("classify"), Gather: took("gather"), Update: took("update"),
				Counted: count(9999, "counted"), ColdCopies: count(9999, "cold copies"), Missed: count(9999, "missed"), MissedBags: count(9999, "missed bags"), Gathered: count(9999, "gathered"),
				Slots: count(99999, "slots"), Fills: count(9999, "fills"), Leaves: count(9999, "leaves"),
				Window: count(5000, "window"), Unique: count(9999, "unique"), Cached: count(9999, "cached"), Again: count(99, "again"), Evicted: count(9999, "evicted"),
				Victims: count(999, "victims"), Flushed: count(999, "flushed"), Averaged: rapid.Bool().Draw(t, "averaged"),
				TTLookups: count(9999, "TT lookups"), TTPrefixes: count(9999, "prefixes"), TTRows: count(9999, "TT rows"), TTBackward: count(9999, "TT backward"), Recent: count(99, "recent")}
		}), 1, 5).Draw(t, "works")
		tt := timing.TT{Dims: [3]int{2, 4, 2}, Rank: count(99, "rank"), Values: count(9999, "values"), Bags: 1 + count(9, "bags"), PlainBags: count(9, "plain bags"),
			PlainLookups: count(9, "plain lookups"), Queue: 1 + count(5, "queue")}
		for _, system := range []timing.System{timing.Hybrid, timing.Hotline, timing.FAE, timing.ModelParallel, timing.ModelParallelDLRM, timing.CPUHotline,
			timing.HybridFused, timing.StaticCache, timing.ParameterServer, timing.ScratchPipe, timing.ScratchPipeStrawman, timing.ScratchPipeIdeal, timing.CDLRM,
			timing.ELRec(tt), timing.TTRec(tt)} {
			run, line, err := timing.Trace(system, p, works, all)
			require.NoError(t, err)
			require.Equal(t, moved(line), carried(run))
			var phases, chain des.Time
			for _, f := range run.Phases {
				phases += f.Time
				require.NotEmpty(t, f.BoundBy)
			}
			for _, s := range run.Chain {
				chain += s.Time
			}
			require.Equal(t, run.Time, phases)
			require.Equal(t, run.Time, chain)
			require.Len(t, run.Ends, len(works))
			bare, err := timing.Bare(system, p, works)
			require.NoError(t, err)
			require.Equal(t, timing.Run{Time: run.Time, Ends: run.Ends}, bare)
		}
	})
}

// moved are the bytes of events between host and GPUs, and among GPUs.
func moved(line *timeline.Timeline) [2]int64 {
	var sum [2]int64
	for _, e := range line.Events() {
		switch e.Resource {
		case "copies to GPUs", "copies to host", "pageable copies":
			sum[0] += e.Bytes
		case "GPU network":
			sum[1] += e.Bytes
		}
	}
	return sum
}

// carried is the same of a run's links.
func carried(r timing.Run) (sum [2]int64) {
	for i, l := range r.Links {
		sum[max(0, i-1)] += l.Bytes
	}
	return sum
}

// all mini-batches are to be recorded.
func all(int) bool { return true }

// What is kept of some mini-batches is what is kept of all: the same events, and
// the same times.
func TestTraceOfSome(t *testing.T) {
	p := plan(t, "hotline-2024-a", "rm2", 4)
	w := timing.Work{Inputs: 4096, Popular: 3000, HotRows: 900, ColdRows: 500, Listed: 3000, HotTable: 10000, Classify: 9, Gather: 9, Update: 9}
	works := []timing.Work{w, w, w, w}
	whole, everything, err := timing.Trace(timing.Hotline, p, works, all)
	require.NoError(t, err)
	run, line, err := timing.Trace(timing.Hotline, p, works, func(m int) bool { return m == 2 })
	require.NoError(t, err)
	require.Equal(t, whole, run)
	var want []timeline.Event
	for _, e := range everything.Events() {
		if e.Flow == timing.Flow(2) {
			e.After = 0
			want = append(want, e)
		}
	}
	got := slices.Clone(line.Events())
	for i := range got {
		got[i].After = 0
	}
	require.NotEmpty(t, want)
	require.Equal(t, want, got)
	_, line, err = timing.Trace(timing.Hotline, p, works, nil)
	require.NoError(t, err)
	require.Empty(t, line.Events())
}
