package experiment_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/experiment"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/train"
)

func example() *experiment.Report {
	auc := 0.61687
	return &experiment.Report{
		Engine: "interp", Config: "small", Data: "criteo-like", GPUs: 4, Seed: 1, MiniBatches: 24, Inputs: 6144,
		PopularShare: 0.73014, Lookups: 202752, LookupsPerCycle: 7.4066, RowsFromGPUs: 48181, RowsFromHost: 6500, RowsUpdated: 999,
		Cycles: 14016092, CyclesSimulated: 684899, PCIeBytesUp: 6051112, PCIeBytesDown: 7007032,
		TimeBaseline: 7904623 * node.Nanosecond, TimeHotline: 1668005 * node.Nanosecond,
		BreakdownBaseline: []train.Part{{Label: "CPU gather", Time: 10064999 * node.Picosecond}, {Label: "copies to GPUs", Time: 3937 * node.Microsecond}},
		BreakdownHotline:  []train.Part{{Label: "non-popular micro-batch", Time: 12 * node.Millisecond}},
		TimeModel: experiment.TimeModel{SpeedUp: 4.7389, Constants: []experiment.Constant{
			{Name: "pageable_us", Value: 36.1, Baseline: 0.95, Least: 0.24, Most: 4.74},
			{Name: "pageable_gb_per_s", Value: 2.33, Baseline: 0.009, Hotline: 0.009},
			{Name: "launch_us", Value: 10, Hotline: 0.792, Least: 4.56, Most: 22.8},
		}},
		Loss: 0.5826441, AUC: &auc, Parameters: 3343921, ParametersIdentical: true,
	}
}

func TestPrint(t *testing.T) {
	var b strings.Builder
	require.NoError(t, example().Print(&b))
	require.Equal(t, `configuration              small, 4 GPUs, criteo-like, engine interp
mini-batches               24, 6,144 inputs
popular share              73.0% of inputs
lookups                    202,752, 7.41 per cycle
rows gathered              48,181 from GPUs, 6,500 from host memory
rows updated               999 in host memory
accelerator                14,016,092 cycles, active in 684,899
PCIe                       6,051,112 bytes from the accelerator, 7,007,032 to it
baseline, per mini-batch     7,904.62 us
  CPU gather                    10.06 us
  copies to GPUs             3,937.00 us
Hotline, per mini-batch      1,668.01 us
  non-popular micro-batch   12,000.00 us
speed-up                   4.74 by a time model that is to be rebuilt, not by a measurement; it rests on
  pageable_us = 36.1       95.0% of the baseline's time, 0.0% of Hotline's; without it, 0.24 to 4.74
  launch_us = 10           0.0% of the baseline's time, 79.2% of Hotline's; without it, 4.56 to 22.80
loss                       0.582644
AUC                        0.6169
parameters                 3,343,921
parameters bit-identical   yes
`, b.String())
}

// TestPrintLostInterrupts: a report without any says nothing of them.
func TestPrintLostInterrupts(t *testing.T) {
	r := example()
	r.LostInterrupts = 1234
	var b strings.Builder
	require.NoError(t, r.Print(&b))
	require.Contains(t, b.String(), "\nlost interrupts            1,234, found by polling\n")
}

func TestPrintDifference(t *testing.T) {
	r := example()
	r.ParametersIdentical, r.Difference, r.AUC, r.GPUs = false, "row 5 differs", nil, 1
	var b strings.Builder
	require.NoError(t, r.Print(&b))
	require.Contains(t, b.String(), "\nAUC                        none: all labels are the same\n")
	require.True(t, strings.HasPrefix(b.String(), "configuration              small, 1 GPU, criteo-like"))
	require.True(t, strings.HasSuffix(b.String(), "parameters bit-identical   NO: row 5 differs\n"))
}

// TestJSON has the keys that other programs read.
func TestJSON(t *testing.T) {
	b, err := json.Marshal(example())
	require.NoError(t, err)
	var got map[string]any
	require.NoError(t, json.Unmarshal(b, &got))
	for key, want := range map[string]any{
		"engine": "interp", "config": "small", "mini_batches": 24., "inputs": 6144., "popular_share": 0.73014, "lookups": 202752.,
		"lookups_per_cycle": 7.4066, "cycles": 14016092., "pcie_bytes_up": 6051112., "pcie_bytes_down": 7007032.,
		"time_ps_baseline": 7904623e3, "time_ps_hotline": 1668005e3, "loss": 0.5826441, "auc": 0.61687, "parameters": 3343921., "parameters_identical": true,
	} {
		require.Equal(t, want, got[key], key)
	}
	require.NotContains(t, got, "difference")
}
