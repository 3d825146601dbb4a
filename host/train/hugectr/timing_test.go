package hugectr_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/hugectr"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

// TestGoldenTimelines compares with timelines that were computed by hand, in microseconds, for
// timingtest.Tiny.
func TestGoldenTimelines(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "model parallel", Order: hugectr.Order, Profile: "sceptic", GPUs: 2, Works: []timing.Work{{Inputs: 8}}, Want: map[string]float64{
			// Of 5 operators of the table one pools, 4 follow the gradients; 20 between.
			"GPU": 1 + 20 + 4,
			// Half of 4 x 2 vectors of 16 bytes at 80 bytes a us.
			"all-to-all": 2 * 11.8,
			// 12 behind the second exchange, less the 4 operators.
			"all-reduce": 8,
			"optimiser":  8,
		}},
		{Name: "model parallel, uneven", Order: hugectr.Order, Profile: "sceptic", GPUs: 2, Works: []timing.Work{{Inputs: 8, Own: hugectr.Work{Gathered: 12}}}, Want: map[string]float64{
			"GPU": 1 + 20 + 4,
			// Half of 12 rows of 16 bytes.
			"all-to-all": 2 * 12.2, "all-reduce": 8, "optimiser": 8,
		}},
	})
}

func TestTimesAddUp(t *testing.T) {
	for _, order := range []timing.System{hugectr.Order, hugectr.ReferenceOrder} {
		timingtest.AddsUp(t, order, func(t *rapid.T) any { return hugectr.Work{Gathered: timingtest.Count(t, 9999, "gathered")} })
	}
}

// TestNothingIsLost: every kernel and every byte of a mini-batch of RM2 on two GPUs, each with half
// of the tables, is in exactly one event.
func TestNothingIsLost(t *testing.T) {
	got := timingtest.Totals(t, hugectr.Order, timingtest.Plan(t, "hotline-2024-b", "rm2", 2), []timing.Work{{Inputs: 2048}})
	forward := timingtest.Pool(2048*13, 2048*13)
	vectors := int64(1024 * 26 * 64)
	require.Equal(t, 13*16, got["GPU: pool rows"].Kernels+got["GPU: update rows"].Kernels)
	require.InEpsilon(t, forward, got["GPU: pool rows"].Ms, 1e-3)
	require.InEpsilon(t, 2*forward, got["GPU: update rows"].Ms, 1e-3)
	require.Equal(t, timingtest.Total{Bytes: vectors, Ms: math.Round((25e-3+float64(vectors)/2/47.9e6)*1e9) / 1e9}, got["GPU network: pooled vectors"])
	require.Equal(t, vectors, got["GPU network: gradients of vectors"].Bytes)
	require.EqualValues(t, 4*timingtest.DenseRM2, got["GPU network: all-reduce"].Bytes)
	require.InEpsilon(t, timingtest.Layers(1024), got["GPU: MLP"].Ms, 1e-3)
	require.Equal(t, 28, got["GPU: optimiser"].Kernels)

	reference := timingtest.Totals(t, hugectr.ReferenceOrder, timingtest.Plan(t, "fae-2022", "rm2", 2), []timing.Work{{Inputs: 2048}})
	require.Equal(t, got["GPU: pool rows"], reference["GPU: pool rows"])
	require.Equal(t, timingtest.Total{Kernels: 7 * 26}, reference["GPU: pooled vectors"])
	require.Equal(t, timingtest.Total{Bytes: 4 * timingtest.DenseRM2, Ms: 7 * 2 * 0.15}, reference["host thread: replicate"])
}

// TestNoStateIsLost checks the states of Adagrad.
func TestNoStateIsLost(t *testing.T) {
	p := timingtest.Plan(t, "hotline-2024-b", "rm2", 2)
	p.Model.Optimiser = dlrm.Adagrad
	got := timingtest.Totals(t, hugectr.Order, p, []timing.Work{{Inputs: 2048}})
	states := got["GPU: states of rows"]
	require.Equal(t, 3*13, states.Kernels)
	require.InEpsilon(t, timingtest.Elementwise(5*2048*13*16, 32*2048*13*16), states.Ms, 1e-3)
}
