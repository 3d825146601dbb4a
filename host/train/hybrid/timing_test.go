package hybrid_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/train/timing/timingtest"
)

// TestGoldenTimelines compares with timelines that were computed by hand, in microseconds, for
// timingtest.Tiny.
func TestGoldenTimelines(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "hybrid, release, 1 GPU", Order: hybrid.Order, Profile: "fae-2022", GPUs: 1, Works: []timing.Work{{Inputs: 8}, {Inputs: 8}}, Want: map[string]float64{
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
		}},
		{Name: "hybrid, release, 2 GPUs", Order: hybrid.Order, Profile: "fae-2022", GPUs: 2, Works: []timing.Work{{Inputs: 8}}, Want: map[string]float64{
			"loading inputs": 40,
			"CPU embedding":  76.5,
			// The host does 1.5 times the work, for 2 x 4 x 16 bytes to each GPU.
			"copies": 2 * (21 + 16),
			"GPU":    24 * 15,
			// All-reduce in 11 us and 80 bytes at 80 bytes a us, before the host is done
			// with its 21 us; 2 layers to 2 GPUs at 50 us; 8 operators of 15; less 37 + 51.
			"optimiser": 21 + 200 + 120 - 88,
		}},
		{Name: "hybrid, sceptic", Order: hybrid.Order, Profile: "sceptic", GPUs: 1, Works: []timing.Work{{Inputs: 8}, {Inputs: 8}}, Want: map[string]float64{
			// One call of 9 us, 16 rows of 1 us.
			"CPU embedding": 2 * 25,
			"copies":        2 * 2 * (20 + 16),
			"GPU":           2 * 22,
		}},
		{Name: "hybrid, pipelined", Order: hybrid.Order, Profile: "sceptic-pipelined", GPUs: 1, Works: []timing.Work{{Inputs: 8}, {Inputs: 8}, {Inputs: 8}}, Want: map[string]float64{
			// Pooled 8.3, copied 44.3, trained 66.3, optimised 74.3. The second's vectors
			// are on the GPU at 80.3, trained on at 102.3, optimised at 110.3; the third's
			// are pooled behind the first update, 119 to 127.3, and copied at 163.3.
			"CPU embedding": 8.3 + 16.7,
			"copies":        36 + 6 + 53 + 36,
			"GPU":           22 + 22 + 22,
			"optimiser":     8 + 8,
		}},
		{Name: "hybrid, slow all-reduce", Order: hybrid.Order, Profile: "sceptic", GPUs: 2, Works: []timing.Work{{Inputs: 8}}, Want: map[string]float64{
			"CPU embedding": 25, "copies": 56, "GPU": 22,
			// 501 and 8 operators, less 28 and two thirds of 25.
			"optimiser": 464.3,
		}, Change: map[string]float64{"collective_us": 500}},
		{Name: "hybrid, a thread per process", Order: hybrid.Order, Profile: "hotline-2024-b", GPUs: 2, Works: []timing.Work{{Inputs: 8}}, Want: map[string]float64{
			// 2 calls of 9 us, 8 rows of 2 us.
			"CPU embedding": 34, "copies": 2 * (14 + 8), "GPU": 240, "optimiser": 14 + 80 - 22 - 22.7,
		}},
		{Name: "hybrid, fused kernels", Order: hybrid.FusedOrder, Profile: "fae-2022", GPUs: 1, Works: []timing.Work{{Inputs: 8}}, Want: map[string]float64{
			// 2 calls of 9 us, 16 rows of 1 us.
			"loading inputs": 40, "CPU embedding": 34, "copies": 60, "GPU": 240,
			// 14 + 80 us, of which copies and update take 30 + 22.7.
			"optimiser": 41.3,
		}},
		{Name: "hybrid, fused kernels of one thread", Order: hybrid.FusedOrder, Profile: "hotline-2024-b", GPUs: 2, Works: []timing.Work{{Inputs: 8}}, Want: map[string]float64{
			"CPU embedding": 34, "copies": 2 * (14 + 8), "GPU": 240, "optimiser": 14 + 80 - 22 - 22.7,
		}},
	})
}

// TestGoldenStates checks the same with Adagrad.
func TestGoldenStates(t *testing.T) {
	timingtest.Golden(t, []timingtest.Case{
		{Name: "hybrid", Order: hybrid.Order, Profile: "fae-2022", GPUs: 1, Adagrad: true, Works: []timing.Work{{Inputs: 8}}, Want: map[string]float64{
			"loading inputs": 40, "copies": 60, "GPU": 240,
			// Two thirds of 76.5 are the update, and the update of the states takes the same again.
			"CPU embedding": 76.5 + 51,
			// 20 operators, when the host has begun the copies: 214 us, of which copies and
			// update take 30 + 102.
			"optimiser": 82,
		}},
	})
}

// TestGoldenServers: with two servers of two GPUs, each server has half of the inputs, and half of
// their rows are in the other server's memory.
func TestGoldenServers(t *testing.T) {
	p := timingtest.TinyPlan(t, "sceptic", 2)
	p.Nodes = 2
	got := timingtest.Phases(t, hybrid.Order, p, []timing.Work{{Inputs: 16}})
	// 8 inputs; rows, and later gradients: 11, and half of 16 rows of 16 bytes at 8 bytes per us.
	require.Equal(t, 25.0+2*(11+16), got["CPU embedding"])
}

func TestTimesAddUp(t *testing.T) {
	timingtest.AddsUp(t, hybrid.Order, nil)
	timingtest.AddsUp(t, hybrid.FusedOrder, nil)
}

// TestNothingIsLost: every kernel and every byte of two mini-batches of RM2 on two GPUs is in
// exactly one event. Counts follow from the model's shapes, times from the definitions of the
// constants.
func TestNothingIsLost(t *testing.T) {
	const dense = timingtest.DenseRM2
	got := timingtest.Totals(t, hybrid.Order, timingtest.Plan(t, "sceptic", "rm2", 2), []timing.Work{{Inputs: 2048, ColdRows: 9000}, {Inputs: 2048, ColdRows: 9000}})
	vectors := int64(2048 * 26 * 64)
	timingtest.RequireTotals(t, map[string]timingtest.Total{
		"CPU: pool rows":                 {Bytes: 2 * vectors},
		"CPU: update rows":               {Bytes: 2 * 2 * 9000 * 64},
		"copies to GPUs: pooled vectors": {Bytes: 2 * vectors, Ms: 2 * float64(vectors) / 11e6}, // by the link above the switch
		"copies to host: gradients":      {Bytes: 2 * vectors, Ms: 2 * float64(vectors) / 11e6},
		"host thread: dispatch MLP":      {Ms: 2 * 49 * 2.5e-3},
		"GPU: pooled vectors":            {Kernels: 2 * 7},
		"GPU: MLP":                       {Kernels: 2 * 49, Ms: 2 * timingtest.Layers(1024)},
		"GPU: interaction and loss":      {Kernels: 2 * 30, Ms: 2 * timingtest.Interaction(1024)},
		"GPU: optimiser":                 {Kernels: 2 * 28, Ms: 2 * timingtest.Elementwise(2*dense, 12*dense)},
		"GPU network: all-reduce":        {Bytes: 2 * 4 * dense, Ms: 2 * (25e-3 + 4*dense/47.9e6)},
	}, got, "host thread: dispatch interaction and loss", "host thread: dispatch optimiser", "host thread: dispatch pooled vectors")
}

// TestNoStateIsLost checks the states of Adagrad in a mini-batch of RM2 on two GPUs.
func TestNoStateIsLost(t *testing.T) {
	const dense = timingtest.DenseRM2
	p := timingtest.Plan(t, "sceptic", "rm2", 2)
	p.Model.Optimiser = dlrm.Adagrad
	got := timingtest.Totals(t, hybrid.Order, p, []timing.Work{{Inputs: 2048, ColdRows: 9000}})
	require.EqualValues(t, 4*9000*64, got["CPU: update rows"].Bytes)
	require.InEpsilon(t, 4*got["CPU: pool rows"].Ms, got["CPU: update rows"].Ms, 1e-6)
	require.Equal(t, 7*2*5, got["GPU: optimiser"].Kernels)
	require.InEpsilon(t, timingtest.Elementwise(7*dense, 44*dense), got["GPU: optimiser"].Ms, 1e-3)
}

// TestTimeSteps checks the operators of a TBSM: MLPs of every time step; the product of its
// attention, its attention and its head once.
func TestTimeSteps(t *testing.T) {
	got := timingtest.Totals(t, hybrid.Order, timingtest.Plan(t, "sceptic", "rm1", 1), []timing.Work{{Inputs: 256}})
	require.Equal(t, 7*(21*3+1+3+2), got["GPU: MLP"].Kernels)
	require.Equal(t, 30+21*18, got["GPU: interaction and loss"].Kernels)
	require.Equal(t, 10*(3+1+3+2), got["GPU: optimiser"].Kernels, "of Adagrad")
	require.EqualValues(t, 256*63*64, got["copies to GPUs: pooled vectors"].Bytes)
}

// phase returns the time of a phase of a run.
func phase(r timing.Run, label string) des.Time {
	for _, p := range r.Phases {
		if p.Label == label {
			return p.Time
		}
	}
	return 0
}

// TestFAECopies compares with the copies of FAE Table 6, DLRM column. Rows of one GPU are
// calibrated; rows of 2 and 4 GPUs are held out.
func TestFAECopies(t *testing.T) {
	for _, c := range []struct {
		model string
		paper [3]float64
	}{{"rm2", [3]float64{3.45, 7.23, 11.3}}, {"rm3", [3]float64{7.72, 18.9, 19.7}}, {"rm4", [3]float64{2.65, 4.82, 9.08}}} {
		for i, gpus := range []int{1, 2, 4} {
			p := timingtest.Plan(t, "fae-2022", c.model, gpus)
			run, err := timing.Time(hybrid.Order, p, []timing.Work{{Inputs: timingtest.PerGPU * gpus}})
			require.NoError(t, err)
			ours := phase(run, "copies").Seconds() * 1e3
			t.Logf("%s, %d GPUs: %.2f ms, paper %.2f", c.model, gpus, ours, c.paper[i])
			tolerance := 0.3
			if gpus == 1 {
				tolerance = 0.04
			}
			require.InEpsilon(t, c.paper[i], ours, tolerance, "%s, %d GPUs", c.model, gpus)
		}
	}
}

// TestHotlineFigure3: embedding, optimiser and communication take up to 75 % of a mini-batch of
// Terabyte on 4 GPUs, without the loader.
func TestHotlineFigure3(t *testing.T) {
	p := timingtest.Plan(t, "hotline-2024-a", "rm3", 4)
	run, err := timing.Time(hybrid.Order, p, []timing.Work{{Inputs: 4 * timingtest.PerGPU}})
	require.NoError(t, err)
	share := (phase(run, "copies") + phase(run, "CPU embedding")).Seconds() / (run.Time - phase(run, "loading inputs")).Seconds()
	t.Logf("%.0f %%", 100*share)
	require.InDelta(t, 0.7, share, 0.1)
}
