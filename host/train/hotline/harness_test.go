package hotline_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/cycle"
	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/models/small"
)

// job is a training: model, data, machine, accelerator.
type job struct {
	model   dlrm.Config
	seed    uint64
	inputs  []dlrm.Sample
	batch   int
	gpus    int
	gpuLink link.Config
	opts    hotline.Options
	card    arch.Params

	valueless bool
	hardware  bool // simulated cycle by cycle, with the sizes of the small configuration

	endpoint *link.Endpoint // of the card, once it is in the slot
	want     train.Result   // of the baseline, once it is trained
}

// newJob is a model whose bags hold several rows, often the same one, on an
// accelerator whose tracker is too small for all rows that occur.
func newJob(t testing.TB, seed uint64, gpus int) *job {
	tables := []dlrm.Table{{Name: "a", Rows: 300, Lookups: 1}, {Name: "b", Rows: 2000, Lookups: 3}, {Name: "c", Rows: 20, Lookups: 4}, {Name: "d", Rows: 5000, Lookups: 2}}
	p := gen.Params{Name: "test", Seed: seed, Dense: 3, Contexts: 120, ContextZipf: 1.2, List: 2, Levels: 1, Rho: 0.97, Signal: 2, Bias: -1, Day: 150, Drift: 0.5}
	inputs := systemtest.Draw(t, p, tables, 1.1, 500)
	opts := hotline.DefaultOptions()
	opts.Sample = 0.5
	opts.Retries, opts.Driver.Retries = 0, 0 // the first fault ends the run
	sizes := arch.Small()
	sizes.Blocks = 256
	return &job{
		model: dlrm.Config{Dense: 3, Tables: tables, Dim: 8, Bottom: []int{3, 8}, Top: []int{6, 1}, LearningRate: 0.2},
		seed:  seed, inputs: inputs, batch: 48, gpus: gpus, gpuLink: link.DefaultConfig(), opts: opts, card: sizes,
	}
}

func (j *job) initial(t testing.TB) *train.State {
	s, err := train.Initial(j.model, j.seed)
	require.NoError(t, err)
	return s
}

func (j *job) batches(t testing.TB) *train.Batches {
	return systemtest.Cut(t, j.model, j.inputs, j.batch)
}

func (j *job) server(t testing.TB) *server.Server {
	cfg := server.DefaultConfig()
	cfg.GPUs, cfg.GPULink, cfg.Valueless = j.gpus, j.gpuLink, j.valueless
	s, err := server.New(cfg)
	require.NoError(t, err)
	return s
}

// hotline is the system under test and its machine.
func (j *job) hotline(t testing.TB) (*server.Server, *hotline.System) {
	s, h, err := j.open(t)
	require.NoError(t, err)
	return s, h
}

func (j *job) open(t testing.TB) (*server.Server, *hotline.System, error) {
	s := j.server(t)
	inSlot := j.accelerator(t, s)
	j.endpoint = inSlot.Endpoint()
	dev, err := s.Insert(inSlot)
	require.NoError(t, err)
	h, err := hotline.New(s, dev, j.initial(t), j.opts)
	return s, h, err
}

func (j *job) accelerator(t testing.TB, s *server.Server) server.Card {
	if j.hardware {
		c, err := cycle.New(s.Kernel, small.New(small.Options{}), s.Config.Period, s.Config.Endpoint)
		require.NoError(t, err)
		return c
	}
	a, err := functional.New(s.Kernel, j.card, s.Config.Period, s.Config.Endpoint)
	require.NoError(t, err)
	return a
}

func (j *job) hybrid(t testing.TB) *hybrid.System {
	return hybrid.New(j.server(t), j.initial(t))
}

// baseline is a hybrid system that has been trained on the same.
func (j *job) baseline(t testing.TB) *hybrid.System {
	h := j.hybrid(t)
	var err error
	j.want, err = train.Run(h, j.batches(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	return h
}
