package cdlrm_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/cdlrm"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
)

// job is a training: model, data, machine, options.
type job struct {
	model     dlrm.Config
	seed      uint64
	inputs    []dlrm.Sample
	batch     int
	gpus      int
	opts      cdlrm.Options
	valueless bool
}

// newJob has caches that are too small for a window, so that rows leave them and
// others are victims; table c is cached whole.
func newJob(t testing.TB, seed uint64, gpus int) *job {
	tables := []dlrm.Table{{Name: "a", Rows: 300, Lookups: 1}, {Name: "b", Rows: 2000, Lookups: 3}, {Name: "c", Rows: 20, Lookups: 4}, {Name: "d", Rows: 5000, Lookups: 2}}
	return &job{
		model: dlrm.Config{Dense: 3, Tables: tables, Dim: 8, Bottom: []int{3, 8}, Top: []int{6, 1}, LearningRate: 0.2},
		seed:  seed, inputs: drawn(t, seed, 500, 3, tables), batch: 48, gpus: gpus, opts: cdlrm.Options{Window: 3, Sets: 40, Ways: 4, Lambda: 1},
	}
}

// drawn are generated inputs, whose rows drift.
func drawn(t testing.TB, seed uint64, n int64, dense int, tables []dlrm.Table) []dlrm.Sample {
	p := gen.Params{Name: "test", Seed: seed, Dense: dense, Contexts: 120, ContextZipf: 1.2, List: 2, Levels: 1, Rho: 0.97, Signal: 2, Bias: -1, Day: 150, Drift: 0.5}
	return systemtest.Draw(t, p, tables, 1.1, n)
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
	return systemtest.Server(t, j.gpus, j.valueless)
}

// system is the system under test.
func (j *job) system(t testing.TB) *cdlrm.System {
	s, err := cdlrm.New(j.server(t), j.initial(t), j.opts)
	require.NoError(t, err)
	return s
}

// baseline is a hybrid system that has been trained on the same.
func (j *job) baseline(t testing.TB) *hybrid.System {
	h := hybrid.New(j.server(t), j.initial(t))
	_, err := train.Run(h, j.batches(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	return h
}

// watched trains, and gives what a watch finds.
func (j *job) watched(t testing.TB, s train.System, progress func(train.Step) error) (train.Result, []consistency.Finding) {
	return systemtest.Watched(t, s, j.initial(t), j.batches(t), progress)
}

// kinds are how many findings there are of each kind.
func kinds(findings []consistency.Finding) map[consistency.Kind]int {
	n := map[consistency.Kind]int{}
	for _, f := range findings {
		n[f.Kind]++
	}
	return n
}

// baselineTo is a hybrid system that has been trained on the first mini-batches.
func (j *job) baselineTo(t testing.TB, batches int) *hybrid.System {
	short := *j
	short.inputs = j.inputs[:batches*j.batch]
	return short.baseline(t)
}
