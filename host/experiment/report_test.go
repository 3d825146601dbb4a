package experiment_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/experiment"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

func example() *experiment.Report {
	loss, auc, same := 0.5826441, 0.61687, true
	system := experiment.SystemReport{MiniBatches: 24, Inputs: 6144, Loss: &loss, AUC: &auc, Parameters: 3343921, Identical: &same}
	hybrid, hotline := system, system
	hybrid.System, hybrid.Time, hybrid.Low, hybrid.High, hybrid.BoundBy = "hybrid", 24*7904623*node.Nanosecond, 24*7*node.Millisecond, 24*9*node.Millisecond, "host thread"
	hybrid.Phases = []timing.Phase{{Label: "CPU embedding", Time: 24 * 10064999 * node.Picosecond, BoundBy: "CPU"}, {Label: "copies", Time: 24 * 3937 * node.Microsecond, BoundBy: "pageable copies"}}
	hotline.System, hotline.Time, hotline.Low, hotline.High, hotline.BoundBy = "hotline", 24*1668005*node.Nanosecond, 24*node.Millisecond, 24*2*node.Millisecond, "GPU"
	hotline.Phases = []timing.Phase{{Label: "non-popular micro-batch", Time: 24 * 12 * node.Millisecond, BoundBy: "GPU"}, {Label: "nothing", Time: 1, BoundBy: "GPU"}}
	return &experiment.Report{
		Config: "small", Data: "criteo-like", Machine: "v100", Profile: "sceptic", GPUs: 4, Nodes: 1, Seed: 1, MiniBatches: 24, Inputs: 6144,
		Systems: []experiment.SystemReport{hybrid, hotline},
		SpeedUps: []experiment.SpeedUp{{System: "hotline", Over: "hybrid", Profile: "sceptic", Spread: timing.Spread{Value: 4.7389, Low: 3.5, High: 5.5, Draws: 200,
			Depends: []timing.Dependence{{Constant: "graph_us", Value: 2.5, Low: 1.5, High: 4, AtLow: 5, AtHigh: 4}, {Constant: "fused_row_ns", Value: 30, Low: 16, High: 60, AtLow: 4.5, AtHigh: 5.2}}}}},
		Accelerator: &experiment.AcceleratorReport{Engine: "interp", PopularShare: 0.73014, Lookups: 202752, LookupsPerCycle: 7.4066, RowsFromGPUs: 48181,
			RowsFromHost: 6500, RowsUpdated: 999, Cycles: 14016092, CyclesSimulated: 684899, PCIeBytesUp: 6051112, PCIeBytesDown: 7007032},
	}
}

func printed(t *testing.T, r *experiment.Report) string {
	var b strings.Builder
	require.NoError(t, r.Print(&b))
	return b.String()
}

func TestPrint(t *testing.T) {
	require.Equal(t, `configuration                small, 4 GPUs, criteo-like
mini-batches                 24, 6,144 inputs
popular share                73.0% of inputs
lookups                      202,752, 7.41 per cycle
rows gathered                48,181 from GPUs, 6,500 from host memory
rows updated                 999 in host memory
accelerator                  engine interp, 14,016,092 cycles, active in 684,899
PCIe                         6,051,112 bytes from the accelerator, 7,007,032 to it
time of a mini-batch         simulated: v100, profile sceptic; in brackets the range over their constants
  hybrid                       7,904.62 us (7,000.00 us to 9,000.00 us), bound by host thread
    CPU embedding                 10.06 us, CPU
    copies                     3,937.00 us, pageable copies
  hotline                      1,668.01 us (1,000.00 us to 2,000.00 us), bound by GPU
    non-popular micro-batch   12,000.00 us, GPU
speed-up of hotline          over hybrid, by software; a model's, not measured
  sceptic                    4.74 (3.50 to 5.50); by graph_us = 1.5 to 4: 5.00 to 4.00, fused_row_ns = 16 to 60: 4.50 to 5.20
hybrid                       loss 0.582644, AUC 0.6169, 3,343,921 parameters, bit-identical
hotline                      loss 0.582644, AUC 0.6169, 3,343,921 parameters, bit-identical
`, printed(t, example()))
}

func TestPrintVariants(t *testing.T) {
	r := example()
	r.Accelerator.LostInterrupts = 1234
	require.Contains(t, printed(t, r), "\nlost interrupts              1,234, found by polling\n")
	r.Accelerator.Engine, r.Accelerator.Cycles = "functional", 0
	require.Contains(t, printed(t, r), "\naccelerator                  functional model\n")
	r.Accelerator, r.GPUs, r.Nodes = nil, 1, 2
	text := printed(t, r)
	require.True(t, strings.HasPrefix(text, "configuration                small, 1 GPU in each of 2 servers, criteo-like\n"), text)
	require.NotContains(t, text, "lookups")
	hot, same := &r.Systems[1], false
	hot.Identical, hot.Difference, hot.AUC = &same, "row 5 differs", nil
	require.True(t, strings.HasSuffix(printed(t, r), "hotline                      loss 0.582644, no AUC, as all labels are the same, 3,343,921 parameters, DIFFERENT: row 5 differs\n"))
	require.Equal(t, "row 5 differs", r.Difference())
	hot.Identical, hot.Loss = nil, nil
	require.True(t, strings.HasSuffix(printed(t, r), "hotline                      values off, 3,343,921 parameters\n"))
}

// TestJSON has the keys that other programs read.
func TestJSON(t *testing.T) {
	b, err := json.Marshal(example())
	require.NoError(t, err)
	var got struct{ Systems []map[string]any }
	require.NoError(t, json.Unmarshal(b, &got))
	for _, key := range []string{"system", "model", "gpus", "nodes", "mini_batches", "inputs", "time_ps", "time_low_ps", "time_high_ps", "bound_by", "loss", "auc", "parameters_identical"} {
		require.Contains(t, got.Systems[0], key)
	}
	require.NotContains(t, got.Systems[0], "difference")
	require.Equal(t, 24*1668005e3, got.Systems[1]["time_ps"])
}
