package experiment_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/dlrm/data/schema"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/registry"
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
	x := engine(t)
	j.Accelerator = experiment.Cycle("interp", x)
	r := run(t, j)
	require.True(t, r.Identical())
	require.Empty(t, r.Difference())
	slices.Sort(progress) // systems run concurrently
	require.Equal(t, []string{"hotline 1/5", "hotline 2/5", "hotline 3/5", "hotline 4/5", "hotline 5/5",
		"hybrid 1/5", "hybrid 2/5", "hybrid 3/5", "hybrid 4/5", "hybrid 5/5"}, progress)
	again := run(t, j)
	require.Nil(t, again.Systems[0].Failure)
	require.Equal(t, &report.Failure{Kind: report.Failed, Text: "experiment: the simulator of the accelerator has been used; each system needs one of its own"}, again.Systems[1].Failure)
	require.Equal(t, []any{"tiny", "criteo-like", "v100", "hotline-2024-a", 2, 1, uint64(1), 5, 160},
		[]any{r.Config, r.Data, r.Machine, r.Profile, r.GPUs, r.Nodes, r.Seed, r.MiniBatches, r.Inputs})

	const lookups = 26 + 3
	a := r.Accelerator
	require.Equal(t, "interp", a.Engine)
	require.EqualValues(t, 160*lookups, a.Lookups)
	popular := a.PopularShare * 160
	require.Equal(t, float64(int(popular)), popular)
	require.EqualValues(t, (160-popular)*lookups, a.RowsFromGPUs+a.RowsFromHost)
	require.NotZero(t, a.RowsFromHost)
	require.NotZero(t, a.RowsUpdated)
	require.LessOrEqual(t, a.RowsUpdated, a.RowsFromHost)
	require.Greater(t, a.LookupsPerCycle, 1.)
	require.Less(t, a.LookupsPerCycle, 4., "engines")
	require.GreaterOrEqual(t, a.Cycles, a.CyclesSimulated)
	require.InDelta(t, a.Cycles, x.Cycle(), 200, "those that were slept through included")
	require.Greater(t, a.PCIeBytesDown, uint64(2*4*160*lookups), "the words of learning and of classification")
	require.Greater(t, a.PCIeBytesUp, uint64((160-popular)*26*16), "pooled vectors")
	require.Zero(t, a.LostInterrupts)

	rows := 0
	for _, table := range j.Data.Shape().Tables {
		rows += table.Rows
	}
	model := j.Config.For(j.Data.Shape())
	require.Len(t, r.Systems, 2)
	for _, s := range r.Systems {
		require.Equal(t, []any{"dlrm", 2, 1, 5, 160}, []any{s.Model, s.GPUs, s.Nodes, s.MiniBatches, s.Inputs})
		require.InDelta(t, 0.65, *s.Loss, 0.1)
		require.NotNil(t, s.AUC)
		require.EqualValues(t, rows*4+(13*8+8)+(8*4+4)+(model.TopIn()+1), s.Parameters)
		sum, chain := des.Time(0), des.Time(0)
		for _, p := range s.Phases {
			require.Positive(t, p.Time, p.Label)
			sum += p.Time
		}
		for _, c := range s.Chain {
			chain += c.Time
		}
		require.Equal(t, s.Time, sum)
		require.Equal(t, s.Time, chain)
		require.Less(t, s.Low, s.Time)
		require.Greater(t, s.High, s.Time)
		require.NotEmpty(t, s.BoundBy)
	}
}

// TestSpeedUps: every speed-up has its range and the constants on which it depends. There is one
// for each profile, beginning with the configuration's profile.
func TestSpeedUps(t *testing.T) {
	r := run(t, newJob(t, func(c *configs.Config) { require.NoError(t, c.SetProfile("sceptic")) }))
	var profiles []string
	ranges := map[float64]bool{}
	for _, s := range r.SpeedUps {
		ranges[s.High/s.Low] = true
		require.Equal(t, []string{"hotline", "hybrid"}, []string{s.System, s.Over})
		profiles = append(profiles, s.Profile)
		require.Less(t, s.Low, s.High)
		require.Len(t, s.Depends, 2)
	}
	require.Len(t, ranges, len(profiles), "each profile has a range of its own")
	require.Equal(t, []string{"sceptic", "fae-2022", "hotline-2024-a", "hotline-2024-b", "sceptic-pipelined"}, profiles)
	require.InEpsilon(t, system(t, r, "hybrid").Time.Seconds()/system(t, r, "hotline").Time.Seconds(), r.SpeedUps[0].Value, 1e-9)
}

// TestSpeedUpOfLongRuns: the speed-up of a long run is computed from the whole run, and its range
// contains it.
func TestSpeedUpOfLongRuns(t *testing.T) {
	j := newJob(t, func(c *configs.Config) { c.Training.Batches, c.Training.Relearn = 250, 0 })
	j.Accelerator, j.Valueless = experiment.Functional(*j.Config.Accelerator), true
	r := run(t, j)
	s := r.SpeedUps[0]
	require.InEpsilon(t, system(t, r, "hybrid").Time.Seconds()/system(t, r, "hotline").Time.Seconds(), s.Value, 1e-9)
	for _, d := range s.Depends {
		require.Less(t, min(d.AtLow, d.AtHigh), s.Value)
		require.Greater(t, max(d.AtLow, d.AtHigh), s.Value)
	}
	require.Less(t, s.Low, s.Value)
	require.Greater(t, s.High, s.Value)
}

// TestFunctional: the functional model computes the same values as the cycle model, in similar
// times.
func TestFunctional(t *testing.T) {
	j := newJob(t, nil)
	want := run(t, j)
	j.Accelerator = experiment.Functional(*j.Config.Accelerator)
	got := run(t, j)
	require.True(t, got.Identical(), got.Difference())
	require.Equal(t, "functional", got.Accelerator.Engine)
	require.Zero(t, got.Accelerator.Cycles)
	require.Equal(t, want.Systems[0], got.Systems[0])
	require.Equal(t, system(t, want, "hotline").Loss, system(t, got, "hotline").Loss)
	require.Equal(t, want.Accelerator.RowsFromHost, got.Accelerator.RowsFromHost)
	require.InEpsilon(t, system(t, want, "hotline").Time.Seconds(), system(t, got, "hotline").Time.Seconds(), 0.02)
}

// TestHeldOut: held-out inputs follow the training inputs. They are the next inputs of an endless
// source, or the last inputs of a log.
func TestHeldOut(t *testing.T) {
	plain := run(t, newJob(t, nil))
	j := newJob(t, nil)
	j.Config.Training.HeldOut = 50
	got := run(t, j)
	e := system(t, got, "hotline").HeldOut
	require.Equal(t, 50, e.Inputs)
	require.Equal(t, e, system(t, got, "hybrid").HeldOut)
	require.Equal(t, system(t, plain, "hotline").Loss, system(t, got, "hotline").Loss, "training is the same")

	inputs, err := datatest.Read(j.Data, 71)
	require.NoError(t, err)
	j = newJob(t, func(c *configs.Config) { c.Training.Batches = 0 })
	shape := j.Data.Shape()
	j.Data, j.Config.Training.HeldOut = datatest.Source("log", shape, inputs), 8
	got = run(t, j)
	require.Equal(t, []int{63, 8}, []int{got.Inputs, got.Systems[0].HeldOut.Inputs})
	j = newJob(t, nil)
	j.Data, j.Config.Training.HeldOut = datatest.Source("log", shape, inputs), 71
	_, err = experiment.Run(t.Context(), j)
	require.EqualError(t, err, "experiment: 71 inputs cannot be held out of the 71 of log")
}

func TestChoose(t *testing.T) {
	all := catalog.Systems()
	names := func(list []registry.Description) (out []string) {
		for _, s := range list {
			out = append(out, s.Name)
		}
		return out
	}
	got, err := registry.Choose(all, "all")
	require.NoError(t, err)
	require.Equal(t, []string{"hybrid", "hybrid-intel", "xdl", "hugectr", "cpu-hotline", "static-cache", "fae", "cdlrm", "cdlrm-paper", "elrec", "tt-rec", "scratchpipe", "scratchpipe-strawman", "scratchpipe-ideal", "hotline"}, names(got))
	got, err = registry.Choose(all, "hotline,hybrid")
	require.NoError(t, err)
	require.Equal(t, []string{"hotline", "hybrid"}, names(got))
	_, err = registry.Choose(all, "hotline,hybrid,hotline")
	require.EqualError(t, err, "training system hotline is named twice")
	_, err = registry.Choose(all, "hotline,coldline")
	require.EqualError(t, err, `there is no training system "coldline"; expected all, or some of hybrid, hybrid-intel, xdl, hugectr, cpu-hotline, static-cache, fae, cdlrm, cdlrm-paper, elrec, tt-rec, scratchpipe, scratchpipe-strawman, scratchpipe-ideal, hotline with commas in between`)
}

// TestDeterministic: two runs produce byte-identical reports. Another seed produces a different
// report.
func TestDeterministic(t *testing.T) {
	encoded := func(change func(*configs.Config)) string {
		b, err := json.Marshal(run(t, newJob(t, change)))
		require.NoError(t, err)
		return string(b)
	}
	require.Equal(t, encoded(nil), encoded(nil))
	require.NotEqual(t, encoded(nil), encoded(func(c *configs.Config) { c.Training.Seed = 2 }))
}

// TestMachines: the loss and the equality of all parameters do not depend on the machine.
func TestMachines(t *testing.T) {
	want := run(t, newJob(t, nil))
	for name, change := range map[string]func(c *configs.Config){
		"one GPU":   func(c *configs.Config) { c.Training.GPUs = 1 },
		"slow link": func(c *configs.Config) { c.Link.Generation, c.Link.Lanes = 1, 1 },
		"function": func(c *configs.Config) {
			c.Straps.MPS, c.Straps.MRRS, c.Straps.RCB, c.Straps.ExtendedTags = 512, 128, 128, false
		},
		"fast clock":  func(c *configs.Config) { c.ClockMHz = 2000 },
		"learn once":  func(c *configs.Config) { c.Training.Relearn = 0 },
		"two servers": func(c *configs.Config) { c.Training.GPUs, c.Training.Nodes = 1, 2 },
		"H100":        func(c *configs.Config) { require.NoError(t, c.SetMachine("h100")) },
	} {
		t.Run(name, func(t *testing.T) {
			got := run(t, newJob(t, change))
			require.True(t, got.Identical(), got.Difference())
			a, b := system(t, want, "hotline"), system(t, got, "hotline")
			require.Equal(t, a.Loss, b.Loss)
			require.Equal(t, a.Parameters, b.Parameters)
			require.NotEqual(t, a.Time, b.Time)
		})
	}
}

// TestLastMiniBatchIsShort has a data set whose size is not a multiple of the mini-batch, and
// labels that are all equal.
func TestLastMiniBatchIsShort(t *testing.T) {
	j := newJob(t, nil)
	inputs, err := datatest.Read(j.Data, 71)
	require.NoError(t, err)
	for i := range inputs {
		inputs[i].Label = 0
	}
	j.Data = datatest.Source("log", j.Data.Shape(), inputs)
	r := run(t, j)
	require.True(t, r.Identical())
	require.Equal(t, []int{3, 71}, []int{r.MiniBatches, r.Inputs})
	require.Nil(t, r.Systems[0].AUC)
}

// TestWhatDoesNotFit checks the messages for models that do not fit the accelerator.
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
			"testdata/tiny.hcl:20: tables is 16, but an input of criteo-like has 26 bags"},
		{"rows", func(c *configs.Config) { c.Accelerator.TagBits = 6 },
			"testdata/tiny.hcl:10: tag_bits is 6, which with 128 sets makes row ids of 13 bits, enough for 8192 rows, but the tables of criteo-like have 13154"},
	} {
		t.Run(c.name, func(t *testing.T) {
			j := newJob(t, nil)
			c.change(j.Config)
			j.Systems = j.Systems[1:] // only hotline, since other systems need no accelerator
			require.EqualError(t, experiment.Check(j.Config, j.Data, j.Systems), c.want)
			j.Accelerator.New = nil // nothing runs
			_, err := experiment.Run(t.Context(), j)
			require.EqualError(t, err, c.want)
		})
	}
	j := newJob(t, nil)
	j.Data = datatest.Source("empty", j.Data.Shape(), nil)
	_, err := experiment.Run(t.Context(), j)
	require.EqualError(t, err, "hybrid CPU-GPU, mini-batch 0: train: empty has no inputs")
	j.Data = datatest.Source("bare", data.Shape{Dense: 13}, nil)
	_, err = experiment.Run(t.Context(), j)
	require.EqualError(t, err, "testdata/tiny.hcl:24: model: no embedding tables, expected at least 1")
}

// TestRecord replays a recorded run on a new simulator.
func TestRecord(t *testing.T) {
	d, err := design()
	require.NoError(t, err)
	var file bytes.Buffer
	j := newJob(t, nil)
	x := engine(t)
	report, err := experiment.Record(t.Context(), j, x, sim.Hash(d), &file)
	require.NoError(t, err)
	want := run(t, newJob(t, nil))
	want.Accelerator.Engine = "recording"
	require.Equal(t, want, report, "recording disturbs nothing")
	s := engine(t)
	trace, err := sim.NewTrace(&file, sim.NewFormat(s.Ports()))
	require.NoError(t, err)
	require.Equal(t, sim.Hash(d), trace.Design)
	require.NoError(t, sim.Drive(s, trace, 1<<30))
	require.Equal(t, report.Accelerator.CyclesSimulated, s.Cycle())
	recorded, replayed := x.(sim.Inspector), s.(sim.Inspector)
	for i, at := range recorded.State() {
		for word := range max(1, at.Depth) {
			require.Equal(t, recorded.Read(i, word), replayed.Read(i, word), "%s, word %d", at.Path, word)
		}
	}
}

// TestRealClicks trains on the first real rows of a click log if HOTLINE_SHARED is a folder that
// contains them. Their licence does not permit including them in the project.
func TestRealClicks(t *testing.T) {
	shared := os.Getenv("HOTLINE_SHARED")
	if shared == "" {
		return
	}
	t.Run("1,024 rows", func(t *testing.T) {
		c := configs.Small()
		log, err := schema.Load("criteo")
		require.NoError(t, err)
		source, err := clicklog.Open(t.Context(), log, []string{filepath.Join(shared, "data/criteo-kaggle/train-7200.tsv")}, clicklog.Options{})
		require.NoError(t, err)
		c.Training.Batches = 4
		d, err := hw.Elaborate(top.Hotline{Params: *c.Accelerator})
		require.NoError(t, err)
		s, err := interp.New(d)
		require.NoError(t, err)
		r := run(t, experiment.Job{Config: c, Data: source, Systems: bitIdentical(t), Accelerator: experiment.Cycle("interp", s)})
		require.True(t, r.Identical(), r.Difference())
		require.Equal(t, []int{4, 1024}, []int{r.MiniBatches, r.Inputs})
		require.Equal(t, "train-7200.tsv", r.Data)
		t.Logf("popular share %.1f %%, %.2f lookups per cycle, loss %.4f", 100*r.Accelerator.PopularShare, r.Accelerator.LookupsPerCycle, *r.Systems[0].Loss)
	})
}

// TestOneSystemACore: as many systems are trained concurrently as there are cores, in order.
func TestOneSystemACore(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	j := functional(t, nil)
	var progress []string
	j.Progress = func(system string, done, _ int) { progress = append(progress, fmt.Sprint(system, " ", done)) }
	run(t, j)
	require.Equal(t, []string{"hybrid 1", "hybrid 2", "hybrid 3", "hybrid 4", "hybrid 5", "hotline 1", "hotline 2", "hotline 3", "hotline 4", "hotline 5"}, progress)
}
