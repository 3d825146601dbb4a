package elrec_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/elrec"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
)

// job is a training with its options.
type job struct {
	systemtest.Job
	opts elrec.Options
}

// newJob returns the training of a DLRM with two large and three small tables. Their bags
// have several rows, often the same row.
func newJob(t testing.TB, gpus int) *job {
	return newJobOf(t, gpus, dlrm.Config{
		Dense: 3, Dim: 4, Bottom: []int{3, 8, 4}, Top: []int{6, 1}, LearningRate: 0.2,
		Tables: []dlrm.Table{{Name: "a", Rows: 300, Lookups: 1}, {Name: "b", Rows: 2000, Lookups: 3}, {Name: "c", Rows: 20, Lookups: 2},
			{Name: "d", Rows: 5000, Lookups: 1}, {Name: "e", Rows: 900, Lookups: 2}},
	})
}

func newJobOf(t testing.TB, gpus int, model dlrm.Config) *job {
	p := gen.Params{Name: "test", Seed: 3, Dense: model.Dense, Contexts: 60, ContextZipf: 1.1, List: 2, Levels: 1, Rho: 0.9, Signal: 2, Bias: -1}
	p.Steps = model.Steps
	inputs := systemtest.Draw(t, p, model.Tables, 1.1, 330)
	return &job{systemtest.Job{Model: model, Seed: 5, Inputs: inputs, Batch: 40, GPUs: gpus},
		elrec.Options{Threshold: 1000, Rank: 3, Queue: 2, Groups: 1, Hot: 0.05}}
}

func (j *job) elrec(t testing.TB) *elrec.System {
	s, err := elrec.New(j.Server(t), j.Initial(t), j.opts)
	require.NoError(t, err)
	return s
}

func (j *job) ttrec(t testing.TB) *elrec.System {
	s, err := elrec.NewTTRec(j.Server(t), j.Initial(t), j.opts)
	require.NoError(t, err)
	return s
}

// run trains, and returns the probabilities of all inputs, too.
func (j *job) run(t testing.TB, s train.System, w train.Watch) (train.Result, []float32) {
	var probs []float32
	r, err := train.Run(s, j.Batches(t), w, func(s train.Step) error {
		probs = append(probs, s.Probabilities...)
		return nil
	})
	require.NoError(t, err)
	return r, probs
}

// requireSame compares all parameters, including slices.
func requireSame(t testing.TB, a, b *elrec.System) {
	t.Helper()
	_, err := train.Compare(a, b)
	require.NoError(t, err)
}
