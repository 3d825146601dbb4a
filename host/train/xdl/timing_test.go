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
			// Ids of 3 rows from each of 2 workers, 10.5 + 3, and back; 2 operators of 15.
			"lookup of ids": 13.5 + 30 + 13.5,
			// 2 calls and 6 rows, a third of it; 80 bytes to each.
			"pull": 22.1 + 20.5,
			// 2 calls and 16 rows, a third of it, twice; 20 operators of 10.
			"workers on the CPU": 2*25.5 + 200,
			"push":               20.5,
			// 8 operators of 15, longer than the update of rows.
			"server's update": 120,
		}},
		{Name: "parameter server, slow CPU", Order: xdl.Order, Profile: "fae-2022", GPUs: 2, Works: []timing.Work{{Inputs: 8, Listed: 6, ColdRows: 500}}, Want: map[string]float64{
			"loading inputs": 40, "lookup of ids": 57, "pull": 42.6, "push": 20.5,
			// 8 inputs, 2 x 2 operations of 8 weights and 2 x 3 of 7, at 100 a us.
			"workers on the CPU": 251 + 5.92,
			// 2 calls and 500 rows, two thirds of it, less the push.
			"server's update": 383.8 - 20.5,
		}, Change: map[string]float64{"cpu_gemm_gflops": 0.1}},
	})
}

func TestTimesAddUp(t *testing.T) {
	timingtest.AddsUp(t, xdl.Order, nil)
}

// TestNothingIsLost: every kernel and every byte of a mini-batch of RM2 on two GPUs is in exactly
// one event.
func TestNothingIsLost(t *testing.T) {
	const (
		dense   = timingtest.DenseRM2
		biases  = 512 + 256 + 64 + 16 + 512 + 256 + 1
		weights = dense - biases
	)
	p := timingtest.Plan(t, "sceptic", "rm2", 2)
	got := timingtest.Totals(t, xdl.Order, p, []timing.Work{{Inputs: 2048, Listed: 1100, ColdRows: 900}})
	timingtest.RequireTotals(t, map[string]timingtest.Total{
		"copies to GPUs: ids":              {Bytes: 1100 * 8},
		"GPU: look ids up":                 {Kernels: 1, Ms: timingtest.Gather(550, 32)},
		"copies to host: places":           {Bytes: 1100 * 8},
		"CPU: collect rows":                {Bytes: 1100 * 64},
		"copies to host: dense parameters": {Bytes: 2 * 4 * dense},
		"CPU: pool rows":                   {Bytes: 2048 * 26 * 64},
		// 49 operators of 2.5 us, and three products of each weight but of the first layer.
		"CPU: MLP":                        {Ms: 49*2.5e-3 + 2048*2*(3*weights-13*512)/500e6},
		"CPU: interaction and loss":       {Ms: 30*2.5e-3 + 3*2048*4*(27*16+367)/51e6},
		"CPU: gradients of rows":          {Bytes: 2048 * 26 * 64},
		"copies to GPUs: dense gradients": {Bytes: 2 * 4 * dense},
		"CPU: update rows":                {Bytes: 2 * 900 * 64},
		"GPU: optimiser":                  {Kernels: 28, Ms: timingtest.Elementwise(2*dense/2, 12*dense/2)},
	}, got, "host thread: dispatch look ids up", "host thread: dispatch optimiser")

	p.Model.Optimiser = dlrm.Adagrad
	got = timingtest.Totals(t, xdl.Order, p, []timing.Work{{Inputs: 2048, Listed: 1100, ColdRows: 900}})
	require.InEpsilon(t, timingtest.Elementwise(7*dense/2, 44*dense/2), got["GPU: optimiser"].Ms, 1e-3)
	require.EqualValues(t, 4*900*64, got["CPU: update rows"].Bytes)
}
