package xdl_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
	"github.com/hotline-rtl/hotline/host/train/xdl"
)

// TestGoldenTimelines compares with timelines that were computed by hand, in microseconds, for
// timingtest.Tiny.
func TestGoldenTimelines(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "parameter server", Order: xdl.Order, Profile: "fae-2022", GPUs: 2, Works: []timing.Work{{Inputs: 8, Listed: 6, ColdRows: 5}}, Want: map[string]float64{
			"loading inputs": 40,
			// Ids of 3 rows from each of 2 workers, 10.5 + 3; 2 calls and 6 rows, a third of
			// it; 80 bytes and 3 rows to each, 21 + 16.
			"pull": 13.5 + 22.1 + 37,
			// 8 operators of pooling and 20, of 15 us.
			"GPU": 420, "push": 37,
			// 2 calls and 5 rows, two thirds of it.
			"server's update": 43.4,
		}},
		{Name: "parameter server, slow memory", Order: xdl.Order, Profile: "fae-2022", GPUs: 2, Works: []timing.Work{{Inputs: 8, Listed: 6, ColdRows: 5}}, Want: map[string]float64{
			"loading inputs": 40, "pull": 13.5 + 22.1 + 37, "GPU": 420, "push": 37,
			// Gradients of 2 workers, and parameters read and written: 4 x 80 bytes.
			"server's update": 43.4 + 32,
		}, Change: map[string]float64{"stream_gb_per_s": 10e-3}},
	})
}

func TestTimesAddUp(t *testing.T) {
	timingtest.AddsUp(t, xdl.Order, nil)
}

// TestNothingIsLost: every kernel and every byte of a mini-batch of RM2 on two GPUs is in exactly
// one event.
func TestNothingIsLost(t *testing.T) {
	const dense = timingtest.DenseRM2
	p := timingtest.Plan(t, "sceptic", "rm2", 2)
	embedding := 3 * timingtest.Pool(1024*26, 1024*26)
	got := timingtest.Totals(t, xdl.Order, p, []timing.Work{{Inputs: 2048, Listed: 1100, ColdRows: 900}})
	timingtest.RequireTotals(t, map[string]timingtest.Total{
		"copies to host: ids":          {Bytes: 1100 * 8},
		"CPU: collect rows":            {Bytes: 1100 * 64},
		"copies to GPUs: parameters":   {Bytes: 2*4*dense + 1100*64},
		"GPU: embedding":               {Kernels: 15, Ms: embedding},
		"GPU: MLP":                     {Kernels: 49, Ms: timingtest.Layers(1024)},
		"GPU: interaction and loss":    {Kernels: 30, Ms: timingtest.Interaction(1024)},
		"copies to host: gradients":    {Bytes: 2*4*dense + 1100*64},
		"CPU: update rows":             {Bytes: 2 * 900 * 64},
		"CPU: update dense parameters": {Bytes: 4 * 4 * dense, Ms: 4 * 4 * dense / 51e6},
	}, got, "host thread: dispatch embedding", "host thread: dispatch MLP", "host thread: dispatch interaction and loss")

	p.Model.Optimiser = dlrm.Adagrad
	got = timingtest.Totals(t, xdl.Order, p, []timing.Work{{Inputs: 2048, Listed: 1100, ColdRows: 900}})
	require.EqualValues(t, 6*4*dense, got["CPU: update dense parameters"].Bytes)
	require.EqualValues(t, 4*900*64, got["CPU: update rows"].Bytes)
}
