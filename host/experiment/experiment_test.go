package experiment_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/experiment"
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec/data"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/hotline/top"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/interp"
)

func TestRun(t *testing.T) {
	j := newJob(t, nil)
	var progress []string
	j.Progress = func(system string, done, total int) {
		progress = append(progress, fmt.Sprintf("%s %d/%d", system, done, total))
	}
	r := run(t, j)
	require.True(t, r.ParametersIdentical)
	require.Empty(t, r.Difference)
	require.Equal(t, []string{"baseline 1/5", "baseline 2/5", "baseline 3/5", "baseline 4/5", "baseline 5/5",
		"Hotline 1/5", "Hotline 2/5", "Hotline 3/5", "Hotline 4/5", "Hotline 5/5"}, progress)

	require.Equal(t, []any{"interp", "tiny", "criteo-like", 2, uint64(1), 5, 160}, []any{r.Engine, r.Config, r.Data, r.GPUs, r.Seed, r.MiniBatches, r.Inputs})
	const lookups = 26 + 3
	require.EqualValues(t, 160*lookups, r.Lookups)
	popular := r.PopularShare * 160
	require.Equal(t, float64(int(popular)), popular)
	require.EqualValues(t, (160-popular)*lookups, r.RowsFromGPUs+r.RowsFromHost)
	require.NotZero(t, r.RowsFromHost)
	require.NotZero(t, r.RowsUpdated)
	require.LessOrEqual(t, r.RowsUpdated, r.RowsFromHost)
	require.Greater(t, r.LookupsPerCycle, 1.)
	require.Less(t, r.LookupsPerCycle, 4., "engines")
	require.Greater(t, r.Cycles, 10*r.CyclesSimulated)
	require.InDelta(t, r.Cycles, j.Sim.Cycle(), 200, "those that were slept through included")
	require.InEpsilon(t, uint64(r.TimeHotline)*5, r.Cycles*4000, 0.01)
	require.Greater(t, r.PCIeBytesDown, uint64(2*4*160*lookups), "the words of learning and of classification")
	require.Greater(t, r.PCIeBytesUp, uint64((160-popular)*26*16), "pooled vectors")
	for _, b := range []struct {
		time  node.Time
		parts []train.Part
	}{{r.TimeBaseline, r.BreakdownBaseline}, {r.TimeHotline, r.BreakdownHotline}} {
		sum := node.Time(0)
		for _, p := range b.parts {
			require.Positive(t, p.Time, p.Label)
			sum += p.Time
		}
		require.InDelta(t, int64(b.time), int64(sum), float64(len(b.parts)), "but for rounding")
	}
	require.Zero(t, r.LostInterrupts)
	require.InDelta(t, 0.7, r.Loss, 0.1)
	require.NotNil(t, r.AUC)
	rows := 0
	for _, table := range j.Data.Tables {
		rows += table.Rows
	}
	model := j.Config.DLRM(j.Data)
	require.EqualValues(t, rows*4+(13*8+8)+(8*4+4)+(model.TopIn()+1), r.Parameters)
}

// TestDeterministic: two runs give the same bytes, another seed others.
func TestDeterministic(t *testing.T) {
	encoded := func(change func(*configs.Config)) string {
		b, err := json.Marshal(run(t, newJob(t, change)))
		require.NoError(t, err)
		return string(b)
	}
	require.Equal(t, encoded(nil), encoded(nil))
	require.NotEqual(t, encoded(nil), encoded(func(c *configs.Config) { c.Training.Seed = 2 }))
}

// TestMachines: the loss does not depend on the machine, and neither does the
// equality of all parameters.
func TestMachines(t *testing.T) {
	want := run(t, newJob(t, nil))
	for name, change := range map[string]func(c *configs.Config){
		"one GPU":   func(c *configs.Config) { c.Training.GPUs = 1 },
		"slow link": func(c *configs.Config) { c.Link.Generation, c.Link.Lanes = 1, 1 },
		"function": func(c *configs.Config) {
			c.Straps.MPS, c.Straps.MRRS, c.Straps.RCB, c.Straps.ExtendedTags = 512, 128, 128, false
		},
		"fast clock": func(c *configs.Config) { c.ClockMHz = 2000 },
		"learn once": func(c *configs.Config) { c.Training.Relearn = 0 },
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, newJob(t, change))
			require.True(t, got.ParametersIdentical, got.Difference)
			require.Equal(t, want.Loss, got.Loss)
			require.Equal(t, want.Parameters, got.Parameters)
			require.NotEqual(t, want.TimeHotline, got.TimeHotline)
		})
	}
}

// TestLastMiniBatchIsShort has a data set that is no multiple of the batch, and
// labels of one kind.
func TestLastMiniBatchIsShort(t *testing.T) {
	j := newJob(t, nil)
	j.Data.Samples = j.Data.Samples[:71]
	for i := range j.Data.Samples {
		j.Data.Samples[i].Label = 0
	}
	r := run(t, j)
	require.True(t, r.ParametersIdentical)
	require.Equal(t, []int{3, 71}, []int{r.MiniBatches, r.Inputs})
	require.Nil(t, r.AUC)
}

// TestWhatDoesNotFit pins the messages.
func TestWhatDoesNotFit(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(c *configs.Config)
		want   string
	}{
		{"batch", func(c *configs.Config) { c.Training.Batch = 36 },
			"testdata/tiny.hcl:33: a mini-batch of 36 inputs with 29 lookups each has 1044 words, but half of the accelerator's eDRAM holds 1024: use a batch of at most 35, or edram_words of at least 2088"},
		{"batch, with the size that is needed not being one", func(c *configs.Config) { c.Training.Batch = 1e6 + 1 },
			"testdata/tiny.hcl:33: a mini-batch of 1000001 inputs with 29 lookups each has 29000029 words, but half of the accelerator's eDRAM holds 1024: use a batch of at most 35, or edram_words of at least 58000064"},
		{"lookups", func(c *configs.Config) { c.Accelerator.Slots = 16 },
			"testdata/tiny.hcl:19: slots is 16, but an input of criteo-like has 29 lookups"},
		{"engines", func(c *configs.Config) { c.Accelerator.Engines = 128 },
			"testdata/tiny.hcl:6: engines is 128, but an input of criteo-like has 29 lookups, which feed at most 116"},
		{"tables", func(c *configs.Config) { c.Accelerator.Tables = 16 },
			"testdata/tiny.hcl:20: tables is 16, but criteo-like has 26"},
		{"rows", func(c *configs.Config) { c.Accelerator.TagBits = 6 },
			"testdata/tiny.hcl:10: tag_bits is 6, which with 128 sets makes row ids of 13 bits, enough for 8192 rows, but the tables of criteo-like have 13154"},
		{"machine", func(c *configs.Config) { c.Machine.GPUMemoryGiB = 80 },
			"testdata/tiny.hcl:1: server: GPUs with 80 GiB, expected at most 64"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJob(t, nil)
			c.change(j.Config)
			_, err := experiment.Clicks(j.Config, plenty)
			require.EqualError(t, err, c.want)
			j.Sim = nil // nothing runs
			_, err = experiment.Run(t.Context(), j)
			require.EqualError(t, err, c.want)
		})
	}
	j := newJob(t, nil)
	j.Data = &data.Set{Name: "empty", Dense: 13, Tables: j.Data.Tables}
	_, err := experiment.Run(t.Context(), j)
	require.EqualError(t, err, `train: data set "empty" has no inputs`)
	j.Data = &data.Set{Name: "bare", Dense: 13}
	_, err = experiment.Run(t.Context(), j)
	require.EqualError(t, err, "testdata/tiny.hcl:24: model: no embedding tables, expected at least 1")
}

// TestRecord replays a recorded run on a new simulation.
func TestRecord(t *testing.T) {
	d, err := design()
	require.NoError(t, err)
	var file bytes.Buffer
	j := newJob(t, nil)
	report, err := experiment.Record(t.Context(), j, sim.Hash(d), &file)
	require.NoError(t, err)
	require.Equal(t, run(t, newJob(t, nil)), report, "recording disturbs nothing")

	s := engine(t)
	trace, err := sim.NewTrace(&file, sim.NewFormat(s.Ports()))
	require.NoError(t, err)
	require.Equal(t, sim.Hash(d), trace.Design)
	require.NoError(t, sim.Drive(s, trace, 1<<30))
	require.Equal(t, report.CyclesSimulated, s.Cycle())
	want, got := j.Sim.(sim.Inspector), s.(sim.Inspector)
	for i, at := range want.State() {
		for word := range max(1, at.Depth) {
			require.Equal(t, want.Read(i, word), got.Read(i, word), "%s, word %d", at.Path, word)
		}
	}
}

// TestRealClicks trains on the first of the real rows where HOTLINE_SHARED names
// a folder that has them; their licence keeps them out of the project.
func TestRealClicks(t *testing.T) {
	shared := os.Getenv("HOTLINE_SHARED")
	if shared == "" {
		return
	}
	t.Run("1,024 rows", func(t *testing.T) {
		c := configs.Small()
		set, err := data.LoadCriteo(filepath.Join(shared, "data/criteo-kaggle/train-7200.tsv"), 4*c.Training.Batch)
		require.NoError(t, err)
		d, err := hw.Elaborate(top.Hotline{Params: *c.Accelerator})
		require.NoError(t, err)
		s, err := interp.New(d)
		require.NoError(t, err)
		r := run(t, experiment.Job{Config: c, Data: set, Sim: s, Engine: "interp"})
		require.True(t, r.ParametersIdentical, r.Difference)
		require.Equal(t, []int{4, 1024}, []int{r.MiniBatches, r.Inputs})
		require.Equal(t, "train-7200.tsv", r.Data)
		t.Logf("popular share %.1f %%, %.2f lookups per cycle, loss %.4f", 100*r.PopularShare, r.LookupsPerCycle, r.Loss)
	})
}
