package scratchpipe_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/scratchpipe"
	"github.com/hotline-rtl/hotline/host/train/systemtest"
)

// job is a training with the minimum number of slots, so that rows arrive and leave all the time.
type job struct {
	systemtest.Job
	opts scratchpipe.Options
	skew float64 // of the click log
}

func newJob(t testing.TB, seed uint64, gpus int) *job {
	model := dlrm.Config{
		Dense: 2, Dim: 5, Bottom: []int{2, 6, 5}, Top: []int{4, 1}, LearningRate: 0.3,
		Tables: []dlrm.Table{{Name: "a", Rows: 90, Lookups: 2}, {Name: "b", Rows: 40, Lookups: 1}, {Name: "c", Rows: 3, Lookups: 1}, {Name: "d", Rows: 400, Lookups: 3}},
	}
	o := scratchpipe.DefaultOptions()
	o.Share = 0
	j := &job{systemtest.Job{Model: model, Seed: 5, Batch: 4, GPUs: gpus}, o, 0.4}
	j.generate(t, seed, 158)
	return j
}

// tbsm changes the model to a model with time steps.
func (j *job) tbsm(t testing.TB) {
	j.Model.Kind, j.Model.Steps, j.Model.Dense = dlrm.TBSM, 3, 1
	j.Model.Bottom, j.Model.Top, j.Model.Attention, j.Model.Head = []int{1, 5}, []int{3}, []int{4, 2}, []int{5, 1}
	j.generate(t, 7, 158)
}

func (j *job) generate(t testing.TB, seed uint64, inputs int64) {
	p := gen.Params{Name: "test", Seed: seed, Dense: j.Model.Dense, Steps: j.Model.Steps, Contexts: 30, ContextZipf: 1, List: 2, Levels: 1, Rho: 0.3, Signal: 2}
	j.Inputs = systemtest.Draw(t, p, j.Model.Tables, j.skew, inputs)
}

// constructor is a constructor of the package.
type constructor = func(*server.Server, *train.State, scratchpipe.Options) (*scratchpipe.System, error)

var constructors = map[string]constructor{"pipelined": scratchpipe.New, "straw-man": scratchpipe.NewStrawman, "ideal": scratchpipe.NewIdeal}

func (j *job) make(t testing.TB, c constructor) *scratchpipe.System {
	s, err := c(j.Server(t), j.Initial(t), j.opts)
	require.NoError(t, err)
	return s
}

func outOfMemory(t testing.TB, err error) *server.OutOfMemory {
	full := &server.OutOfMemory{}
	require.ErrorAs(t, err, &full)
	return full
}
