package report_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/study/report/reporttest"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

func example() *report.Report {
	loss, auc, same := 0.5826441, 0.61687, true
	system := report.System{MiniBatches: 24, Inputs: 6144, Loss: &loss, AUC: &auc, Parameters: 3343921, Identical: &same}
	hybrid, hotline := system, system
	hybrid.System, hybrid.Time, hybrid.Low, hybrid.High, hybrid.BoundBy = "hybrid", 24*7904623*des.Nanosecond, 24*7*des.Millisecond, 24*9*des.Millisecond, "host thread"
	hybrid.Phases = []timing.Phase{{Label: "CPU embedding", Time: 24 * 3067686 * des.Nanosecond, BoundBy: "CPU"}, {Label: "copies", Time: 24 * 4836937 * des.Nanosecond, BoundBy: "pageable copies"}}
	hotline.System, hotline.Time, hotline.Low, hotline.High, hotline.BoundBy = "hotline", 24*1668005*des.Nanosecond, 24*des.Millisecond, 24*2*des.Millisecond, "GPU"
	hotline.Phases = []timing.Phase{{Label: "non-popular micro-batch", Time: 24*1668005*des.Nanosecond - 1, BoundBy: "GPU"}, {Label: "nothing", Time: 1, BoundBy: "GPU"}}
	hits := 0.9578
	hybrid.Promise, hotline.Promise, hotline.Hits = registry.Sequential.String(), registry.Sequential.String(), &hits
	hybrid.Links = []timing.Link{{Name: "host to GPUs", Bytes: 24 * 425984}, {Name: "GPU network", Bytes: 24 * 102200}}
	hotline.Links = []timing.Link{{Name: "host to GPUs", Bytes: 24 * 999}, {Name: "GPU network"}, {Name: "to accelerator", Bytes: 24 * 288453}}
	hybrid.Memory = []server.Use{{Where: "host memory", Needs: 13300000}, {Where: "GPU 0 memory", Needs: 600}, {Where: "GPU 1 memory", Needs: 688100}}
	hotline.Memory = []server.Use{{Where: "host memory", Needs: 13500000}, {Where: "GPU 0 memory", Needs: 1200000}}
	return &report.Report{
		Config: "small", Data: "criteo-like", Machine: "v100", Profile: "sceptic", Values: true, GPUs: 4, Nodes: 1, Seed: 1, MiniBatches: 24, Inputs: 6144,
		Systems: []report.System{hybrid, hotline},
		SpeedUps: []report.SpeedUp{{System: "hotline", Over: "hybrid", Profile: "sceptic", Spread: timing.Spread{Value: 4.7389, Low: 3.5, High: 5.5, Draws: 200,
			Depends: []timing.Dependence{{Constant: "graph_us", Value: 2.5, Low: 1.5, High: 4, AtLow: 5, AtHigh: 4}, {Constant: "fused_row_ns", Value: 30, Low: 16, High: 60, AtLow: 4.5, AtHigh: 5.2}}}}},
		Accelerator: &report.Accelerator{Engine: "interp", PopularShare: 0.73014, Lookups: 202752, LookupsPerCycle: 7.4066, RowsFromGPUs: 48181,
			RowsFromHost: 6500, RowsUpdated: 999, Cycles: 14016092, CyclesSimulated: 684899, PCIeBytesUp: 6051112, PCIeBytesDown: 7007032},
	}
}

func printed(t *testing.T, r *report.Report) string {
	var b strings.Builder
	require.NoError(t, r.Print(&b))
	return b.String()
}

func TestPrint(t *testing.T) {
	require.Equal(t, `configuration  small, 4 GPUs, criteo-like
mini-batches   24, 6,144 inputs
popular share  73.0% of inputs
lookups        202,752, 7.41 per cycle
rows gathered  48,181 from GPUs, 6,500 from host memory
rows updated   999 in host memory
accelerator    engine interp, 14,016,092 cycles, active in 684,899
PCIe           6,051,112 bytes from the accelerator, 7,007,032 to it

Time of a mini-batch (simulated: v100, profile sceptic; in brackets the range over their constants)
  system       time                   range  bound by
  hybrid   7,900 us  (7,000 us to 9,000 us)  host thread
  hotline  1,700 us  (1,000 us to 2,000 us)  GPU

What it goes to (shares of at least 1 %)
  system   phases
  hybrid   copies 61 %, CPU embedding 39 %
  hotline  non-popular micro-batch 100 %

Bytes of a mini-batch by link, hits, memory (hits: lookups of rows that the GPUs held; memory is what is kept, of the GPUs in the fullest)
  system   host to GPUs  GPU network  to accelerator    hits  host memory  GPU memory
  hybrid       426.0 kB     102.2 kB                              13.3 MB    688.1 kB
  hotline         999 B          0 B        288.5 kB  95.8 %      13.5 MB      1.2 MB

Speed-up over hybrid (by software profile; a model's, not measured; in brackets the range over constants)
  system            sceptic
  hotline  4.7 (3.5 to 5.5)

What speed-ups depend on most (profile sceptic; the speed-up at both ends of a constant's range)
  system   constant = range: speed-ups
  hotline  graph_us = 1.5 to 4: 5.00 to 4.00, fused_row_ns = 16 to 60: 4.50 to 5.20

Models (loss and AUC of predictions before training on the inputs; compared bit by bit)
  system       loss     AUC  parameters  promise     outcome
  hybrid   0.582644  0.6169   3,343,921  sequential  bit-identical
  hotline  0.582644  0.6169   3,343,921  sequential  bit-identical
`, printed(t, example()))
}

func TestPrintVariants(t *testing.T) {
	r := example()
	r.Accelerator.LostInterrupts = 1234
	require.Contains(t, printed(t, r), "\nlost interrupts  1,234, found by polling\n")
	r.Accelerator.Engine, r.Accelerator.Cycles = "functional", 0
	require.Contains(t, printed(t, r), "\naccelerator      functional model\n")
	r.Accelerator, r.GPUs, r.Nodes = nil, 1, 2
	text := printed(t, r)
	require.True(t, strings.HasPrefix(text, "configuration  small, 1 GPU in each of 2 servers, criteo-like\n"), text)
	require.NotContains(t, text, "per cycle")
	hot, same := &r.Systems[1], false
	hot.Identical, hot.Difference, hot.AUC = &same, "row 5 differs", nil
	require.True(t, strings.HasSuffix(printed(t, r), "\n  hotline  0.582644       -   3,343,921  sequential  DIFFERENT\n\nhotline: difference  row 5 differs\n"))
	require.Equal(t, "row 5 differs", r.Difference())
	r.Values, hot.Difference = false, ""
	require.True(t, strings.HasSuffix(printed(t, r), "\nModels (values off)\n  system   parameters\n  hybrid    3,343,921\n  hotline   3,343,921\n"))
}

// TestReading: sentences below the times say where the tables fit, and which resource binds all
// systems. A system that did nothing of its own is marked.
func TestReading(t *testing.T) {
	const bound = " All systems are bound by the CPU.\n"
	r := example()
	require.NotContains(t, printed(t, r), "embedding tables")
	r.On = &machine.Machine{GPUMemoryGiB: 16}
	for bytes, want := range map[int64]string{
		16 << 30:   "(17.2 GB) fit into one GPU (17.2 GB), so systems that keep all rows on GPUs have an advantage.\n",
		16<<30 + 1: "(17.2 GB) exceed one GPU (17.2 GB) but fit into all of them (68.7 GB), so systems that distribute the tables need no host memory.\n",
		64<<30 + 1: "(68.7 GB) exceed the memory of all GPUs (68.7 GB), so rows must stay in host memory.\n",
	} {
		r.TableBytes = bytes
		require.Contains(t, printed(t, r), "  The embedding tables "+want)
	}
	r.Systems[0].BoundBy, r.Systems[1].BoundBy = "CPU", "CPU"
	require.Contains(t, printed(t, r), bound)
	r.Systems[1].OutOfMemory = &server.OutOfMemory{}
	require.NotContains(t, printed(t, r), bound, "one system is not compared")
	r.Systems[0].Idle = "no input was popular"
	require.Contains(t, printed(t, r), "  bound by  idle\n")
	require.Contains(t, printed(t, r), "  CPU       no input was popular\n")
}

// TestDigits: numbers have the digits that two significant digits of their range support.
func TestDigits(t *testing.T) {
	for _, c := range []struct {
		value, low, high float64
		want             string
	}{
		{21523.05, 17191.06, 24787.31, "21,500 us (17,200 us to 24,800 us)"},
		{21523.05, 11191.06, 24787.31, "22,000 us (11,000 us to 25,000 us)"},
		{21523.05, 21523.05, 21523.05, "21,523.05 us (21,523.05 us to 21,523.05 us)"},
		{8.129, 8.05, 9.05, "8.1 us (8.1 us to 9.1 us)"},
		{8.129, 8.05, 8.2, "8.13 us (8.05 us to 8.20 us)"},
		{99.96, 90, 104, "100 us (90 us to 104 us)"},
	} {
		r, us := example(), func(x float64) des.Time { return 24 * des.Time(x*float64(des.Microsecond)) }
		s := &r.Systems[0]
		s.Time, s.Low, s.High = us(c.value), us(c.low), us(c.high)
		value, ends, _ := strings.Cut(c.want, " (")
		require.Regexp(t, `\n  hybrid +`+regexp.QuoteMeta(value)+` +\(`+regexp.QuoteMeta(ends)+" ", printed(t, r))
	}
}

// TestStaleness: the ages of values are printed for systems that read stale values.
func TestStaleness(t *testing.T) {
	r := example()
	r.Systems[0].Check = &consistency.Summary{
		Findings: 3, Kinds: []consistency.KindCount{{Kind: consistency.StaleRead, N: 3}}, First: []consistency.Finding{{Kind: consistency.StaleRead, MiniBatch: 4, Table: 1, Row: 7, Age: 2, Text: "old"}},
		Staleness: consistency.Staleness{Reads: 4000, Stale: 1500, Mean: 0.5, Max: 4},
	}
	text := printed(t, r)
	require.Contains(t, text, "\nhybrid: check      3 stale reads\n"+
		"                   stale read, mini-batch 4, table 1, row 7: old\n"+
		"hybrid: staleness  1,500 of 4,000 reads are too old: 0.500 updates in the mean, 4 at most\n")
	require.Contains(t, text, "  bit-identical  3 findings\n")
	r.Systems[0].Check.Staleness.Ages = []consistency.AgeCount{{Age: 0, Reads: 2500}, {Age: 1, Reads: 1000}, {Age: 3, Reads: 300}, {Age: 4, Reads: 200}}
	page := reporttest.Text(t, pageOf(t, r))
	for _, s := range []string{"1 update: 25 %", "2: 0 %", "3 to 4: 12.5 %", "more: 0 %", "1,500 of 4,000 reads, 4 updates at most"} {
		require.True(t, reporttest.Has(page, s), s)
	}
}

// TestJSON checks that the report has the keys that other programs read.
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
