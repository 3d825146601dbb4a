package cpuhotline_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/cpuhotline"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

// TestGoldenTimelines compares with timelines that were computed by hand, in microseconds, for
// timingtest.Tiny.
func TestGoldenTimelines(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "learning without an accelerator", Order: cpuhotline.Order, Profile: "hotline-2024-a", GPUs: 1, Works: []timing.Work{
			{Inputs: 8, Popular: 8, Promoted: 4, Own: cpuhotline.Work{Counted: 20}}, {Inputs: 8, Popular: 8, Promoted: 2, Demoted: 2, Own: cpuhotline.Work{Counted: 10}},
		}, Want: map[string]float64{
			// 20 lookups of 3 us; then 10 behind 12 us of the CPU's update.
			"learning": 60 + 12 + 30,
			// 64 bytes, 24, and an operator; two operators and two copies of 32.
			"hot-row copies": 34 + 64,
			// 16 lookups.
			"waiting for segregation": 2 * 48, "popular micro-batch": 2 * 300, "optimiser": 2 * 80, "update exposed": 12,
		}},
		{Name: "Hotline without an accelerator", Order: cpuhotline.Order, Profile: "hotline-2024-a", GPUs: 1, Works: []timing.Work{
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, ColdCopies: 3, HotTable: 100}, {Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, ColdCopies: 3, HotTable: 100},
		}, Want: map[string]float64{
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
		}},
		{Name: "the same, slow segregation", Order: cpuhotline.Order, Profile: "hotline-2024-a", GPUs: 1, Works: []timing.Work{
			{Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, ColdCopies: 3}, {Inputs: 8, Popular: 6, HotRows: 5, ColdRows: 3, ColdCopies: 3},
		}, Want: map[string]float64{
			"loading inputs": 2 * 40,
			// 1600. The second's are done at 3207, when it has been loaded at 2351.
			"waiting for segregation": 1560 + 856,
			// Collected when the update behind the segregation has ended at 3221, 14 later.
			"popular micro-batch": 321 + 335, "non-popular micro-batch": 2 * 300, "optimiser": 2 * 90, "update exposed": 31,
		}, Change: map[string]float64{"segregate_us": 100}},
	})
}

func TestTimesAddUp(t *testing.T) {
	timingtest.AddsUp(t, cpuhotline.Order, func(t *rapid.T) any {
		return cpuhotline.Work{Counted: timingtest.Count(t, 9999, "counted")}
	})
}

// TestNothingIsLost: every kernel and every byte of a mini-batch of RM2 on two GPUs is in exactly
// one event.
func TestNothingIsLost(t *testing.T) {
	w := timing.Work{Inputs: 2048, Popular: 1500, HotRows: 700, ColdRows: 300, ColdCopies: 340, Listed: 1100, HotTable: 5000}
	got := timingtest.Totals(t, cpuhotline.Order, timingtest.Plan(t, "sceptic", "rm2", 2), []timing.Work{w})
	require.InEpsilon(t, 2048*26*0.33e-3, got["CPU: segregate"].Ms, 1e-3)
	require.EqualValues(t, 340*64, got["CPU: collect rows"].Bytes)
	require.EqualValues(t, 2*300*64, got["CPU: update rows"].Bytes)
	require.EqualValues(t, 340*64, got["copies to GPUs: cold rows"].Bytes)
	require.EqualValues(t, 300*64, got["copies to host: gradients of cold rows"].Bytes)
	require.Equal(t, 2*16, got["GPU: embedding"].Kernels)
	require.InEpsilon(t, timingtest.Layers(750)+timingtest.Layers(274), got["GPU: MLP"].Ms, 1e-3)
	require.Equal(t, 1, got["GPU: hot rows"].Kernels)
	require.EqualValues(t, 1100*72, got["GPU network: exchange hot rows"].Bytes)
}

// TestNoStateIsLost checks the states of Adagrad.
func TestNoStateIsLost(t *testing.T) {
	p := timingtest.Plan(t, "sceptic", "rm2", 2)
	p.Model.Optimiser = dlrm.Adagrad
	got := timingtest.Totals(t, cpuhotline.Order, p, []timing.Work{{Inputs: 2048, Popular: 1500, HotRows: 7000, ColdRows: 200_001, Listed: 7100, HotTable: 9000}})
	require.EqualValues(t, 4*200_001*64, got["CPU: update rows"].Bytes)
	require.Equal(t, 4, got["GPU: hot rows"].Kernels)
}
