package experiment_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/configs"
	"github.com/hotline-rtl/hotline/host/device/driver"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/clicklog"
	"github.com/hotline-rtl/hotline/host/study/experiment"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/catalog"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
)

// setting is the model and the data on which all systems are trained.
type setting struct {
	config *configs.Config
	clicks data.Source
	from   *train.State
	inputs int64
}

// newSetting returns a small model and several mini-batches of a few inputs. Rows are evicted from
// caches, kept in tensor-train form, and learned again.
func newSetting(t testing.TB, spec string, batch int, optimiser dlrm.Optimiser) *setting {
	c := configs.Small()
	a := c.Accelerator
	a.Tables, a.TagBits, a.Blocks, a.EDRAMWords = 64, 20, 512, 1<<13 // for time steps and many rows
	c.Model.Dim, c.Model.Bottom, c.Model.Top = 8, []int{16}, []int{8}
	c.Training.Batch, c.Training.Batches, c.Training.Relearn = batch, 16, 3
	*c.Options["cdlrm"].(*cdlrm.Options) = cdlrm.Options{Window: 1, Sets: 4}
	pad := c.Options["scratchpipe"].(*scratchpipe.Options)
	pad.Share, pad.Policy = 0, scratchpipe.Random
	cores := c.Options["elrec"].(*elrec.Options)
	cores.Threshold, cores.Rank = 500, 2
	s := &setting{config: c, inputs: int64(16 * batch)}
	var err error
	if spec == "" {
		s.clicks, err = experiment.Clicks(c)
	} else {
		s.clicks, _, err = experiment.OpenData(t.Context(), spec, 1, clicklog.Options{})
	}
	require.NoError(t, err)
	if s.clicks.Shape().Steps > 0 {
		require.NoError(t, c.SetPreset("rm1"))
	}
	model := c.For(s.clicks.Shape())
	model.Optimiser = optimiser
	s.from, err = train.Initial(model, c.Training.Seed)
	require.NoError(t, err)
	return s
}

// train trains a system on gpus GPUs with this number of bytes of memory each.
func (s *setting) train(t testing.TB, x registry.Description, gpus int, bytes uint64, watch func(train.System) train.Watch) (train.System, train.Result, error) {
	cfg := server.DefaultConfig()
	cfg.GPUs, cfg.GPUMemoryGiB = gpus, float64(bytes)/(1<<30)
	machine, err := server.New(cfg)
	require.NoError(t, err)
	var dev driver.Device
	if x.Accelerated {
		card, err := experiment.Functional(*s.config.Accelerator).New(machine)
		require.NoError(t, err)
		dev, err = machine.Insert(card)
		require.NoError(t, err)
	}
	system, err := x.New(machine, dev, s.from, s.config.Setting(x))
	if err != nil {
		return nil, train.Result{}, err
	}
	b, err := train.NewBatches(s.from.Model, s.clicks, s.config.Training.Batch, s.inputs)
	require.NoError(t, err)
	defer b.Close()
	r, err := train.Run(system, b, watch(system), nil)
	if err != nil {
		return nil, r, err
	}
	return system, r, machine.Fits()
}

func unwatched(train.System) train.Watch { return train.Unwatched{} }

const gib = 1 << 30

// watched trains a system with a consistency checker, on GPUs with sufficient memory.
func (s *setting) watched(t testing.TB, x registry.Description, gpus int) (train.System, train.Result, consistency.Summary) {
	var w *consistency.Watch
	system, r, err := s.train(t, x, gpus, 16*gib, func(system train.System) train.Watch {
		w = consistency.New(s.from)
		if x.Reference != nil {
			w = consistency.Against(s.from.Model, x.Reference(system, s.from))
		}
		return w
	})
	require.NoError(t, err)
	_, err = w.Finish(system)
	require.NoError(t, err)
	return system, r, w.Summary()
}

// requirePromise trains all systems on gpus GPUs and checks their guarantees. Systems that
// guarantee sequential training must have its parameters. They must have no findings; neither must
// systems with an order or a reference of their own. For the other approximate systems, found
// records whether there are findings. requirePromise returns the inputs, the loss and the AUC of
// sequential training.
func (s *setting) requirePromise(t *testing.T, gpus int, found map[string]bool) []any {
	var base train.System
	var want []any
	for _, x := range catalog.Systems() {
		if x.Check != nil {
			_, err := x.Check(s.from.Model, s.config.Setting(x))
			require.NoError(t, err)
		}
		system, r, summary := s.watched(t, x, gpus)
		require.LessOrEqual(t, int64(r.Inputs), s.inputs, x.Name)
		if x.Guarantee == registry.Approximate && x.Reference == nil {
			found[x.Name] = found[x.Name] || summary.Findings > 0
			require.Equal(t, summary.Findings > 0, len(summary.First) > 0, x.Name)
			continue
		}
		require.Empty(t, summary.First, x.Name)
		require.EqualValues(t, r.Inputs*s.from.Model.Lookups(), summary.Staleness.Reads, x.Name)
		if x.Guarantee != registry.Sequential {
			continue
		}
		if base == nil {
			base, want = system, []any{r.Inputs, r.Loss, r.AUC}
		}
		require.Equal(t, want, []any{r.Inputs, r.Loss, r.AUC}, x.Name)
		_, err := train.Compare(base, system)
		require.NoError(t, err)
	}
	return want
}

// logs maps click logs of all formats to sizes of mini-batches for which each log has several.
var logs = map[string]int{
	"": 8, "../../dlrm/data/clicklog/testdata/bags.hcl:../../dlrm/data/clicklog/testdata/bags.jsonl": 3,
	"criteo:../../../cmd/hotline/command/testdata/clicks.tsv": 9, "avazu:../../dlrm/data/clicklog/testdata/avazu.csv": 2, "taobao:../../dlrm/data/visits/testdata/userbehavior.csv": 2,
}

// TestMatrix: every registered system keeps its guarantee on all click logs, with two optimisers
// each, with every optimiser on the generated log, and on 1 to 4 and 8 GPUs. Loss and AUC do not depend on the number of GPUs. Systems without a
// guarantee have findings.
func TestMatrix(t *testing.T) {
	found := map[string]bool{}
	for spec, batch := range logs {
		optimisers := []dlrm.Optimiser{dlrm.SGD, dlrm.Adagrad}
		if spec == "" {
			optimisers = systemtest.Optimisers()
		}
		for _, optimiser := range optimisers {
			s := newSetting(t, spec, batch, optimiser)
			var want []any
			for _, gpus := range []int{1, 2, 3, 4, 8} {
				t.Run(fmt.Sprintf("%s %v, %d GPUs", filepath.Base(spec), optimiser.Rule, gpus), func(t *testing.T) {
					got := s.requirePromise(t, gpus, found)
					if want == nil {
						want = got
					}
					require.Equal(t, want, got)
				})
			}
		}
	}
	for _, x := range catalog.Systems() {
		if x.Guarantee == registry.Approximate && x.Reference == nil {
			require.True(t, found[x.Name], x.Name)
		}
	}
}

// TestMatrixOfRealClicks repeats this on the first real rows of a click log if HOTLINE_SHARED is a
// folder that contains them.
func TestMatrixOfRealClicks(t *testing.T) {
	shared := os.Getenv("HOTLINE_SHARED")
	if shared == "" {
		t.Skip("HOTLINE_SHARED names no folder with real clicks")
	}
	s := newSetting(t, "criteo:"+filepath.Join(shared, "data/criteo-kaggle/train-7200.tsv"), 96, dlrm.SGD)
	o := fae.DefaultOptions()
	s.config.Options["fae"] = &o // as its tables are larger than the tables of the generator
	for gpus := 1; gpus <= 4; gpus++ {
		s.requirePromise(t, gpus, map[string]bool{})
	}
}

// TestMatrixOfMemory: a system fits GPUs with exactly the memory that it reports to need, and does
// not fit with a page less.
func TestMatrixOfMemory(t *testing.T) {
	const page = 4096
	for _, optimiser := range dlrm.Optimisers() {
		s := newSetting(t, "", 12, optimiser)
		for _, x := range catalog.Systems() {
			for _, gpus := range []int{1, 3} {
				needs := uint64(page)
				for full := s.outOfMemory(t, x, gpus, needs); full != nil; full = s.outOfMemory(t, x, gpus, needs) {
					require.Greater(t, full.Needs, needs, "another GPU may need more")
					needs = full.Needs
					for _, p := range full.Parts {
						full.Needs -= p.Bytes
					}
					require.Zero(t, full.Needs, x.Name)
				}
				require.NotNil(t, s.outOfMemory(t, x, gpus, needs-page), x.Name)
				_, got, err := s.train(t, x, gpus, needs, unwatched)
				require.NoError(t, err, x.Name)
				_, want, err := s.train(t, x, gpus, gib, unwatched)
				require.NoError(t, err, x.Name)
				require.Equal(t, want, got, x.Name)
			}
		}
	}
}

// outOfMemory returns the allocation that exceeds the memory of a GPU, or nil if everything fits.
func (s *setting) outOfMemory(t testing.TB, x registry.Description, gpus int, bytes uint64) *server.OutOfMemory {
	_, _, err := s.train(t, x, gpus, bytes, unwatched)
	if err == nil {
		return nil
	}
	full := &server.OutOfMemory{}
	require.ErrorAs(t, err, &full, x.Name)
	require.Contains(t, full.Where, "GPU ", x.Name)
	return full
}
