package scratchpipe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
)

// job is a training with as few slots as there can be, so that rows come and leave all the
// time.
type job struct {
	model     dlrm.Config
	inputs    []dlrm.Sample
	batch     int
	gpus      int
	opts      scratchpipe.Options
	valueless bool
	skew      float64 // of the clicks
	memoryGiB float64 // of a GPU; 0 is as usual
}

func newJob(t testing.TB, seed uint64, gpus int) *job {
	model := dlrm.Config{
		Dense: 2, Dim: 5, Bottom: []int{2, 6, 5}, Top: []int{4, 1}, LearningRate: 0.3,
		Tables: []dlrm.Table{{Name: "a", Rows: 90, Lookups: 2}, {Name: "b", Rows: 40, Lookups: 1}, {Name: "c", Rows: 3, Lookups: 1}, {Name: "d", Rows: 400, Lookups: 3}},
	}
	o := scratchpipe.DefaultOptions()
	o.Share = 0
	j := &job{model: model, batch: 4, gpus: gpus, opts: o, skew: 0.4}
	j.generate(t, seed, 158)
	return j
}

// tbsm makes the model one with time steps.
func (j *job) tbsm(t testing.TB) {
	j.model.Kind, j.model.Steps, j.model.Dense = dlrm.TBSM, 3, 1
	j.model.Bottom, j.model.Top, j.model.Attention, j.model.Head = []int{1, 5}, []int{3}, []int{4, 2}, []int{5, 1}
	j.generate(t, 7, 158)
}

func (j *job) generate(t testing.TB, seed uint64, inputs int64) {
	p := gen.Params{Name: "test", Seed: seed, Dense: j.model.Dense, Steps: j.model.Steps, Contexts: 30, ContextZipf: 1, List: 2, Levels: 1, Rho: 0.3, Signal: 2}
	j.inputs = systemtest.Draw(t, p, j.model.Tables, j.skew, inputs)
}

func (j *job) initial(t testing.TB) *train.State {
	s, err := train.Initial(j.model, 5)
	require.NoError(t, err)
	return s
}

func (j *job) batches(t testing.TB) *train.Batches {
	return systemtest.Cut(t, j.model, j.inputs, j.batch)
}

func (j *job) server(t testing.TB) *server.Server {
	cfg := server.DefaultConfig()
	cfg.GPUs, cfg.Valueless = j.gpus, j.valueless
	if j.memoryGiB > 0 {
		cfg.GPUMemoryGiB = j.memoryGiB
	}
	s, err := server.New(cfg)
	require.NoError(t, err)
	return s
}

// constructor is one of the package's.
type constructor = func(*server.Server, *train.State, scratchpipe.Options) (*scratchpipe.System, error)

var constructors = map[string]constructor{"pipelined": scratchpipe.New, "straw-man": scratchpipe.NewStrawman, "ideal": scratchpipe.NewIdeal}

func (j *job) make(t testing.TB, c constructor) *scratchpipe.System {
	s, err := c(j.server(t), j.initial(t), j.opts)
	require.NoError(t, err)
	return s
}

func outOfMemory(t testing.TB, err error) *server.OutOfMemory {
	full := &server.OutOfMemory{}
	require.ErrorAs(t, err, &full)
	return full
}

// watched trains a system under a shadow, which finds what is wrong.
func (j *job) watched(t testing.TB, s train.System) (train.Result, []consistency.Finding) {
	return systemtest.Watched(t, s, j.initial(t), j.batches(t), nil)
}

// baseline is the hybrid system, trained.
func (j *job) baseline(t testing.TB) (*hybrid.System, train.Result) {
	h := hybrid.New(j.server(t), j.initial(t))
	r, err := train.Run(h, j.batches(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	return h, r
}
