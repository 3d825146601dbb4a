package hotline_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

const us = timingtest.Us

// The timelines were worked out by hand, in microseconds, for timingtest.Tiny.
func TestGoldenTimelines(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "Hotline", Order: hotline.Order, Profile: "hotline-2024-a", GPUs: 1, Works: []timing.Work{
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, Listed: 8, HotTable: 100, Promoted: 4, Own: hotline.Work{Learn: 100 * us, ReadOut: 50 * us, Classify: 10 * us, Gather: 70 * us, Update: 30 * us}},
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, Listed: 8, HotTable: 100, Own: hotline.Work{Classify: 10 * us, Gather: 70 * us, Update: 30 * us}},
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, Listed: 8, HotTable: 100, Promoted: 2, Demoted: 2, Own: hotline.Work{Learn: 20 * us, ReadOut: 600 * us, Classify: 10 * us, Gather: 70 * us, Update: 30 * us}},
		}, Want: map[string]float64{
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
		}},
		{Name: "Hotline, slow gather", Order: hotline.Order, Profile: "hotline-2024-a", GPUs: 1, Works: []timing.Work{{Inputs: 8, Popular: 6, Own: hotline.Work{Classify: 10 * us, Gather: 1000 * us}}}, Want: map[string]float64{
			"waiting for classify": 18, "popular micro-batch": 310, "waiting for gather": 708, "non-popular micro-batch": 210, "optimiser": 80,
		}},
		{Name: "Hotline, fast read-out", Order: hotline.Order, Profile: "hotline-2024-a", GPUs: 1, Works: []timing.Work{
			{Inputs: 8, Popular: 8, Own: hotline.Work{Classify: 10 * us}}, {Inputs: 8, Popular: 8, Promoted: 2, Own: hotline.Work{Classify: 10 * us, ReadOut: 5 * us}},
		}, Want: map[string]float64{
			// Rows move when the mini-batch is done.
			"waiting for classify": 36, "popular micro-batch": 600, "optimiser": 160, "hot-row copies": 32,
		}},
	})
}

// The same with Adagrad.
func TestGoldenStates(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "Hotline", Order: hotline.Order, Profile: "hotline-2024-a", GPUs: 1, Adagrad: true, Works: []timing.Work{
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, Listed: 8, HotTable: 100, Own: hotline.Work{Classify: 10 * us, Gather: 70 * us, Update: 30 * us}},
		}, Want: map[string]float64{
			"waiting for classify": 18, "popular micro-batch": 310, "non-popular micro-batch": 210,
			// 20, the hot rows, and the gradients of the cold ones.
			"optimiser": 250,
			// 48 bytes to the host and back, 23 each; two thirds of 2 calls of 9 us and 3
			// rows of 1; the list, 21.5, and 38 of the command.
			"update exposed": 23 + 14 + 23 + 59.5,
		}},
		{Name: "Hotline, rows move", Order: hotline.Order, Profile: "hotline-2024-a", GPUs: 1, Adagrad: true, Works: []timing.Work{
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, Listed: 8, HotTable: 100, Own: hotline.Work{Classify: 10 * us, Gather: 70 * us, Update: 30 * us}},
			{Inputs: 8, Popular: 8, Promoted: 2, Demoted: 2, Own: hotline.Work{Classify: 10 * us, ReadOut: 5 * us}},
		}, Want: map[string]float64{
			"waiting for classify": 36, "popular micro-batch": 310 + 300, "non-popular micro-batch": 210, "optimiser": 250 + 200,
			// When the cold rows are in place, 119.5 as above: 2 operators, two copies of
			// 64 bytes, 2 operators.
			"hot-row copies": 119.5 + 20 + 24 + 24 + 20,
		}},
	})
}

// Two servers of two GPUs: each has half of the inputs, and the network card at 8
// bytes a us carries the all-reduce of 80 bytes, 2 x 3/4 of them.
func TestGoldenServers(t *testing.T) {
	p := timingtest.TinyPlan(t, "sceptic", 2)
	p.Nodes = 2
	got := timingtest.Phases(t, hotline.Order, p, []timing.Work{{Inputs: 16, Popular: 16, Listed: 8}})
	require.Equal(t, 11.0+15, got["all-reduce"])
	require.Equal(t, 11.0+18, got["hot-row exchange"], "3/4 of 192 bytes")
}

// TestColdRowsOfOtherServers: each server's accelerator has its share of the commands, and half of
// the cold rows come from the other of two servers, before the gather. Their gradients return. One
// server sends nothing.
func TestColdRowsOfOtherServers(t *testing.T) {
	w := timing.Work{Inputs: 2048, Popular: 1024, ColdRows: 3001, Own: hotline.Work{Classify: 3 * des.Microsecond, Gather: 5 * des.Microsecond, Update: 7 * des.Microsecond}}
	p := timingtest.Plan(t, "sceptic", "rm2", 2)
	one := timingtest.Totals(t, hotline.Order, p, []timing.Work{w})
	p.Nodes = 2
	two := timingtest.Totals(t, hotline.Order, p, []timing.Work{w})
	for _, command := range []string{"classify", "gather", "update"} {
		require.InDelta(t, one["accelerator: "+command].Ms/2, two["accelerator: "+command].Ms, 1e-9, command)
	}
	const bytes = 1501 * 64
	for _, sent := range []string{"GPU network: cold rows of other servers", "GPU network: gradients for other servers"} {
		require.Zero(t, one[sent], sent)
		require.EqualValues(t, bytes, two[sent].Bytes, sent)
		require.InDelta(t, 25e-3+bytes/2/(p.Machine.NICGBPerSecond*1e6), two[sent].Ms, 1e-6, sent)
	}
	require.EqualValues(t, 1501*8, two["copies to host: update list"].Bytes)
	near := timingtest.Phases(t, hotline.Order, p, []timing.Work{w})
	p.Machine = p.Machine.With("nic_gb_per_s", 1e-3)
	require.Greater(t, timingtest.Phases(t, hotline.Order, p, []timing.Work{w})["waiting for gather"], near["waiting for gather"], "the gather waits")
}

func TestTimesAddUp(t *testing.T) {
	timingtest.AddsUp(t, hotline.Order, func(t *rapid.T) any {
		took := func(name string) des.Time { return des.Time(timingtest.Count(t, 1e9, name)) }
		return hotline.Work{Learn: took("learn"), ReadOut: took("read-out"), Classify: took("classify"), Gather: took("gather"), Update: took("update")}
	})
}

// Every kernel and every byte of two mini-batches of RM2 on two GPUs is in one event.
func TestNothingIsLost(t *testing.T) {
	const dense = timingtest.DenseRM2
	p := timingtest.Plan(t, "sceptic", "rm2", 2)
	took := hotline.Work{Classify: 3 * des.Microsecond, Gather: 5 * des.Microsecond, Update: 7 * des.Microsecond, Cold: 5000}
	w := timing.Work{Inputs: 2048, Popular: 1500, HotRows: 700, ColdRows: 300, Listed: 1100, HotTable: 5000, Own: took}
	moves := w
	took.Learn, took.ReadOut = 2*des.Microsecond, 11*des.Microsecond
	moves.Promoted, moves.Demoted, moves.Own = 40, 30, took
	got := timingtest.Totals(t, hotline.Order, p, []timing.Work{w, moves})
	embedding := 3 * timingtest.Pool(750*26, 750*26)
	timingtest.RequireTotals(t, map[string]timingtest.Total{
		"GPU: embedding":                   {Kernels: 2 * 16, Ms: 2 * embedding},
		"GPU: MLP":                         {Kernels: 4 * 49, Ms: 2 * (timingtest.Layers(750) + timingtest.Layers(274))},
		"GPU: interaction and loss":        {Kernels: 4 * 30, Ms: 2 * (timingtest.Interaction(750) + timingtest.Interaction(274))},
		"GPU: optimiser":                   {Kernels: 2 * 28, Ms: 2 * timingtest.Elementwise(2*dense, 12*dense)},
		"GPU: mark pooled vectors":         {Kernels: 2, Ms: 2 * timingtest.Elementwise(274*26*16, 274*26*64)},
		"GPU: check pooled vectors":        {Kernels: 2, Ms: 2 * timingtest.Elementwise(274*26*16, 274*26*64)},
		"GPU: hot rows":                    {Kernels: 2, Ms: 2 * timingtest.Elementwise(2*700*16, 12*700*16)},
		"GPU: gradients of cold rows":      {Kernels: 2, Ms: 2 * 2 * 1.55 * (4*152 + 64*150) / 816.95e6}, // ids in sectors of 32 bytes
		"GPU: collect hot rows":            {Kernels: 1, Ms: 2 * 1.55 * (128 + 64*30) / 816.95e6},
		"GPU: scatter hot rows":            {Kernels: 1, Ms: 2 * 1.55 * (160 + 64*40) / 816.95e6},
		"CPU: scatter rows":                {Bytes: 30 * 64, Ms: 2 * 30 * 64 / 51e6},
		"CPU: collect rows":                {Bytes: 40 * 64, Ms: 2 * 40 * 64 / 51e6},
		"copies to host: hot rows to host": {Bytes: 30 * 64, Ms: 7e-3 + 30*64/11e6},
		"copies to host: update list":      {Bytes: 2 * 300 * 8, Ms: 2 * (7e-3 + 300*8/11e6)},
		"copies to GPUs: hot rows to GPUs": {Bytes: 2 * 40 * 64, Ms: 7e-3 + 40*64/11e6},
		"GPU network: all-reduce":          {Bytes: 2 * 4 * dense, Ms: 2 * (25e-3 + 4*dense/47.9e6)},
		"GPU network: exchange hot rows":   {Bytes: 2 * 1100 * 72, Ms: 2 * (25e-3 + 1100*72/2/47.9e6)},
		"accelerator: learn":               {Ms: 2e-3},
		"accelerator: read out hot set":    {Ms: 11e-3},
		"accelerator: classify":            {Ms: 6e-3},
		"accelerator: gather":              {Bytes: 2 * 548 * (26 + 26) * 64, Ms: 10e-3}, // rows, and pooled vectors of one row,
		"accelerator: update":              {Bytes: 2 * 3 * 300 * 64, Ms: 14e-3},         // rows, twice, and gradients,
		"driver: doorbell":                 {Ms: 8 * 5e-3},
		"driver: interrupt":                {Ms: 8 * 5e-3},
	}, got, "host thread: dispatch MLP", "host thread: dispatch interaction and loss", "host thread: dispatch optimiser",
		"host thread: dispatch embedding", "host thread: dispatch hot rows", "host thread: dispatch gradients of cold rows",
		"host thread: dispatch collect hot rows", "host thread: dispatch mark pooled vectors", "host thread: dispatch check pooled vectors", "host thread: dispatch scatter hot rows")
}

// The states of Adagrad.
func TestNoStateIsLost(t *testing.T) {
	p := timingtest.Plan(t, "sceptic", "rm2", 2)
	p.Model.Optimiser = dlrm.Adagrad
	w := timing.Work{Inputs: 2048, Popular: 1500, HotRows: 7000, ColdRows: 200_001, Listed: 7100, HotTable: 9000, Own: hotline.Work{Update: 7 * des.Microsecond}}
	moves := timing.Work{Inputs: 2048, Popular: 2048, Promoted: 40, Demoted: 30, Own: hotline.Work{ReadOut: 11 * des.Microsecond}}
	got := timingtest.Totals(t, hotline.Order, p, []timing.Work{w, moves})
	timingtest.RequireSome(t, map[string]timingtest.Total{
		"GPU: hot rows":                          {Kernels: 4, Ms: timingtest.Elementwise(7*7000*16, 44*7000*16)},
		"GPU: gradients of cold rows":            {Kernels: 1, Ms: 2 * 1.55 * (4*100_001 + 64*100_001) / 816.95e6},
		"copies to host: gradients of cold rows": {Bytes: 200_001 * 64, Ms: 2 * 100_001 * 64 / 11e6},
		"CPU: states of cold rows":               {Bytes: 2 * 200_001 * 64, Ms: 2. / 3 * (120e-3 + 30e-6*0.5*200_001)},
		"copies to GPUs: steps of cold rows":     {Bytes: 200_001 * 64, Ms: 2 * 100_001 * 64 / 11e6},
		"GPU: collect hot rows":                  {Kernels: 2, Ms: 2 * 2 * 1.55 * (128 + 64*30) / 816.95e6},
		"GPU: scatter hot rows":                  {Kernels: 2, Ms: 2 * 2 * 1.55 * (160 + 64*40) / 816.95e6},
		"CPU: scatter rows":                      {Bytes: 2 * 30 * 64, Ms: 2 * 2 * 30 * 64 / 51e6},
		"CPU: collect rows":                      {Bytes: 2 * 40 * 64, Ms: 2 * 2 * 40 * 64 / 51e6},
		"copies to host: hot rows to host":       {Bytes: 2 * 30 * 64, Ms: 7e-3 + 2*30*64/11e6},
		"copies to GPUs: hot rows to GPUs":       {Bytes: 2 * 2 * 40 * 64, Ms: 7e-3 + 2*40*64/11e6},
	}, got, 2e-3)

	p.Nodes = 2
	got = timingtest.Totals(t, hotline.Order, p, []timing.Work{w})
	require.EqualValues(t, 2*100_001*64, got["CPU: states of cold rows"].Bytes, "each server has half of the rows")
	require.EqualValues(t, 100_001*64, got["copies to GPUs: steps of cold rows"].Bytes)
}
