package systemtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
)

// Job is a training with its own model, data and machine. A system's tests embed it and add its
// options.
type Job struct {
	Model     dlrm.Config
	Seed      uint64 // of the initial parameters
	Inputs    []dlrm.Sample
	Batch     int
	GPUs      int
	Valueless bool
	Machine   func(*server.Config) // changes the machine; may be nil
	Want      train.Result         // of the latest Baseline
}

// NewJob returns a training with several rows per bag, many repeated rows, and drifting popularity.
func NewJob(t testing.TB, seed uint64, gpus int) Job {
	tables := []dlrm.Table{{Name: "a", Rows: 300, Lookups: 1}, {Name: "b", Rows: 2000, Lookups: 3}, {Name: "c", Rows: 20, Lookups: 4}, {Name: "d", Rows: 5000, Lookups: 2}}
	p := gen.Params{Name: "test", Seed: seed, Dense: 3, Contexts: 120, ContextZipf: 1.2, List: 2, Levels: 1, Rho: 0.97, Signal: 2, Bias: -1, Day: 150, Drift: 0.5}
	return Job{
		Model: dlrm.Config{Dense: 3, Tables: tables, Dim: 8, Bottom: []int{3, 8}, Top: []int{6, 1}, LearningRate: 0.2},
		Seed:  seed, Inputs: Draw(t, p, tables, 1.1, 500), Batch: 48, GPUs: gpus,
	}
}

// Initial returns the initial state.
func (j *Job) Initial(t testing.TB) *train.State {
	s, err := train.Initial(j.Model, j.Seed)
	require.NoError(t, err)
	return s
}

// Batches returns the mini-batches.
func (j *Job) Batches(t testing.TB) *train.Batches {
	shape := data.Shape{Dense: j.Model.Dense, Steps: j.Model.Steps, Tables: j.Model.Tables}
	b, err := train.NewBatches(j.Model, datatest.Source("test", shape, j.Inputs), j.Batch, 0)
	require.NoError(t, err)
	return b
}

// Server returns a new machine.
func (j *Job) Server(t testing.TB) *server.Server {
	cfg := server.DefaultConfig()
	cfg.GPUs, cfg.Valueless = j.GPUs, j.Valueless
	if j.Machine != nil {
		j.Machine(&cfg)
	}
	s, err := server.New(cfg)
	require.NoError(t, err)
	return s
}

// Baseline returns a hybrid system that has been trained on the same data.
func (j *Job) Baseline(t testing.TB) *hybrid.System {
	h := hybrid.New(j.Server(t), j.Initial(t))
	var err error
	j.Want, err = train.Run(h, j.Batches(t), train.Unwatched{}, nil)
	require.NoError(t, err)
	return h
}

// Watched trains a system, and returns the result and the findings of a watch.
func (j *Job) Watched(t testing.TB, s train.System, progress func(train.Step) error) (train.Result, []consistency.Finding) {
	w := consistency.New(j.Initial(t))
	r, err := train.Run(s, j.Batches(t), w, progress)
	require.NoError(t, err)
	findings, err := w.Finish(s)
	require.NoError(t, err)
	return r, findings
}

// Draw samples n inputs of tables with the same skew.
func Draw(t testing.TB, p gen.Params, tables []dlrm.Table, skew float64, n int64) []dlrm.Sample {
	for _, table := range tables {
		p.Tables = append(p.Tables, gen.Table{Table: table, Zipf: skew})
	}
	clicks, err := gen.New(p, n)
	require.NoError(t, err)
	inputs, err := datatest.Read(clicks, 0)
	require.NoError(t, err)
	return inputs
}
