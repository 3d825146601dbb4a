package papers

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// record returns the record of an ID.
func record(t *testing.T, id string) Record {
	for _, r := range Records() {
		if r.ID == id {
			return r
		}
	}
	require.Fail(t, "there is no record "+id)
	return Record{}
}

// value evaluates a row of simulated time with a software profile, on the machine itself.
func value(t *testing.T, r Record, profile string) float64 {
	p, err := timing.LoadProfile(profile)
	require.NoError(t, err)
	b := &bench{ctx: t.Context()}
	values, err := b.evaluate(newClock(timing.Variants{machine.Default()}), r, p)
	require.NoError(t, err)
	return values[0]
}

var gpuCounts = []string{"1-gpu", "2-gpus", "4-gpus"}

// TestMeansArePrinted: docs/explanation/time.md contains the speed-up of Hotline over the hybrid
// system for several profiles.
func TestMeansArePrinted(t *testing.T) {
	text, err := os.ReadFile("../../../docs/explanation/time.md")
	require.NoError(t, err)
	for _, profile := range []string{"hotline-2024-a", "sceptic", "sceptic-pipelined"} {
		line := fmt.Sprintf("\n| `%s` |", profile)
		for _, gpus := range gpuCounts {
			line += fmt.Sprintf(" %.2f |", value(t, record(t, "hotline/figure-19/hotline-over-intel-optimised-dlrm/"+gpus), profile))
		}
		require.Contains(t, string(text), line)
	}
}

// TestSceptic compares speed-ups with an independent model, which knows SGD only. With today's
// software they rise with the number of GPUs, which share the CPU and the link above their switch.
func TestSceptic(t *testing.T) {
	for profile, want := range map[string][]float64{"sceptic": {1.6, 2.2, 3.5}, "sceptic-pipelined": {0.74, 1.04, 1.8}} {
		for i, gpus := range gpuCounts {
			r := record(t, "hotline/figure-19/hotline-over-intel-optimised-dlrm/"+gpus)
			require.InEpsilon(t, want[i], value(t, r, profile), 0.15, "%s, %s", profile, gpus)
		}
	}
}

// TestTaobaoIsPrinted: docs/explanation/time.md contains the time of a mini-batch of RM1 with FAE,
// and the counts that are compared with FAE's release.
func TestTaobaoIsPrinted(t *testing.T) {
	text, err := os.ReadFile("../../../docs/explanation/time.md")
	require.NoError(t, err)
	paper, ours := "| RM1, paper |", "| ours |"
	for i, gpus := range gpuCounts {
		r := record(t, "fae/table-5/fae-taobao/"+gpus)
		c := r.first()
		minutes := r.Epochs * c.Inputs / float64(c.all()) / 60
		paper += fmt.Sprintf(" %.3g |", 1e3**r.Value/minutes)
		ours += fmt.Sprintf(" %.1f |", 1e3*value(t, r, "fae-2022")/minutes)
		require.Equal(t, 1<<i, c.GPUs)
	}
	require.Contains(t, string(text), paper+"\n"+ours)

	c, m := record(t, "fae/table-5/fae-taobao/1-gpu").first(), machine.Default()
	model, err := c.config()
	require.NoError(t, err)
	p, err := timing.LoadProfile("fae-2022")
	require.NoError(t, err)
	plan := timing.Plan{Machine: m, Profile: p, Model: model, GPUs: 1, Nodes: 1}
	hot := []timing.Work{{Inputs: c.Batch, Popular: c.Batch, HotRows: 1, Listed: 1, HotTable: 1}}
	_, events, err := timing.Trace(fae.Order, plan, hot, func(int) bool { return true })
	require.NoError(t, err)
	operators := 0
	for _, e := range events.Events() {
		operators += e.Kernels
	}
	require.Equal(t, 2178, operators)
	require.Contains(t, string(text), "| operators of a hot mini-batch | 1,752 | 2,178 |")
	bags := m.StockBags(63, 63*c.Batch, 16).Seconds() * (1 + 2*2) / 3 // of three parts two are the way back, of rows and of states
	require.Contains(t, string(text), fmt.Sprintf("| CPU time of bags with Adagrad, relative to RM2's with SGD | 2.21 | %.2f |", bags/m.StockBags(26, 26*1024, 16).Seconds()))
}

// TestIdealScratchPipe: the ideal ScratchPipe gains the time that Plan needs to look ahead, which
// is short.
func TestIdealScratchPipe(t *testing.T) {
	c := record(t, "scratchpipe/table-i/mini-batch-of-scratchpipe/random").first()
	m, err := c.config()
	require.NoError(t, err)
	p, err := timing.LoadProfile("fae-2022")
	require.NoError(t, err)
	for _, fills := range []int{50_000, 300_000} {
		w := timing.Work{Inputs: c.Batch, Own: scratchpipe.Work{Slots: 2_000_000, Fills: fills, Leaves: fills}}
		seconds := func(s timing.System) float64 {
			v, err := steady(s, m, c, w, pipelined).time(machine.Default(), p)
			require.NoError(t, err)
			return v
		}
		gain := seconds(scratchpipe.Order) / seconds(scratchpipe.IdealOrder)
		require.GreaterOrEqual(t, gain, 1.)
		require.Less(t, gain, 1.05)
	}
}

// TestModels checks the models that workloads describe.
func TestModels(t *testing.T) {
	m, err := record(t, "scratchpipe/table-i/mini-batch-of-scratchpipe/random").first().config()
	require.NoError(t, err)
	require.Equal(t, 8, len(m.Tables))
	require.Equal(t, dlrm.Table{Name: "t7", Rows: 10_000_000, Lookups: 20}, m.Tables[7])
	require.NoError(t, m.Validate())
	_, err = Workload{Model: "rm9"}.config()
	require.EqualError(t, err, `papers: there is no model "rm9"`)
	_, err = (&bench{ctx: t.Context()}).mix("abacus", Case{Workload{Model: "rm2", Batch: 1}, 1, 1})
	require.EqualError(t, err, `papers: there is no system "abacus"`)
}

// TestBankLookups compares with the closed form of Figure 16: a bank issues in a share l of the
// cycles if l + l^2 / (2 (1 - l)) requests wait for it.
func TestBankLookups(t *testing.T) {
	for _, banks := range []int{16, 32, 64, 128} {
		low, high := 0., 1.
		for range 60 {
			l := (low + high) / 2
			if l+l*l/(2*(1-l)) < 512/float64(banks) {
				low = l
			} else {
				high = l
			}
		}
		require.InEpsilon(t, low*float64(banks), bankLookups(512, banks), 0.005, "%d banks", banks)
	}
}
