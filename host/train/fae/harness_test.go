package fae_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/fae"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
)

// job is a training: model, data, machine, options.
type job struct {
	model     dlrm.Config
	seed      uint64
	inputs    int
	size      int
	gpus      int
	opts      fae.Options
	valueless bool
	from      *train.State // nil means the initial state
	first     int          // mini-batch
}

func newJob(seed uint64, gpus int) *job {
	return &job{
		model: dlrm.Config{
			Dense: 2, Dim: 4, Bottom: []int{2, 6, 4}, Top: []int{5, 1}, LearningRate: 0.3,
			Tables: []dlrm.Table{{Name: "a", Rows: 3000, Lookups: 2}, {Name: "b", Rows: 30, Lookups: 1}, {Name: "c", Rows: 1500, Lookups: 1}},
		},
		seed: seed, inputs: 700, size: 32, gpus: gpus,
		opts: fae.Options{BudgetMiB: mib(16 * 60), Sample: 1, SmallKiB: kib(16 * 1000), Test: 64},
	}
}

// mib and kib convert bytes, exactly.
func mib(bytes float64) float64 { return bytes / (1 << 20) }
func kib(bytes float64) float64 { return bytes / (1 << 10) }

// tbsm changes the model to a model with time steps.
func (j *job) tbsm() {
	j.model.Kind, j.model.Steps = dlrm.TBSM, 3
	j.model.Top, j.model.Attention, j.model.Head = []int{5, 5}, []int{4, 2}, []int{6, 1}
}

func (j *job) batches(t testing.TB) *train.Batches {
	p := gen.Params{Name: "test", Seed: j.seed, Dense: j.model.Dense, Steps: j.model.Steps, Contexts: 150, ContextZipf: 1.2, List: 2, Levels: 1, Rho: 0.9, Signal: 2}
	for _, table := range j.model.Tables {
		p.Tables = append(p.Tables, gen.Table{Table: table, Zipf: 1})
	}
	clicks, err := gen.New(p, math.MaxInt32)
	require.NoError(t, err)
	b, err := train.NewBatches(j.model, clicks, j.size, int64(j.inputs))
	require.NoError(t, err)
	return b.From(j.first)
}

func (j *job) initial(t testing.TB) *train.State {
	if j.from != nil {
		return j.from
	}
	s, err := train.Initial(j.model, j.seed)
	require.NoError(t, err)
	return s
}

func (j *job) server(t testing.TB) *server.Server {
	return systemtest.Server(t, j.gpus, j.valueless)
}

func (j *job) system(t testing.TB) *fae.System {
	f, err := fae.New(j.server(t), j.initial(t), j.opts, j.seed)
	require.NoError(t, err)
	return f
}

// train trains a system, watched by w, and calls after, unless nil, after each mini-batch.
func (j *job) train(t testing.TB, f *fae.System, w train.Watch, after func(train.Step)) (train.Result, error) {
	return train.Run(f, j.batches(t), w, func(s train.Step) error {
		if after != nil {
			after(s)
		}
		return nil
	})
}

// findings returns the findings of a training; after is as in train.
func (j *job) findings(t testing.TB, f *fae.System, after func(train.Step)) []consistency.Finding {
	w := consistency.New(j.initial(t))
	_, err := j.train(t, f, w, after)
	require.NoError(t, err)
	findings, err := w.Finish(f)
	require.NoError(t, err)
	return findings
}

// order is a watch that records the order of the mini-batches.
type order struct {
	train.Unwatched
	batches []dlrm.Batch
}

func (o *order) Begin(_ int, b dlrm.Batch) {
	var copied dlrm.Batch
	for i := range b.Len() {
		copied.Append(b.At(i))
	}
	o.batches = append(o.batches, copied)
}
