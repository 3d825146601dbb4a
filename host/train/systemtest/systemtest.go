package systemtest

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// New builds a system on a machine. Its model starts from a state.
type New func(s *server.Server, from *train.State) (train.System, error)

// DLRM returns a model with several rows per bag; one table is tiny.
func DLRM() dlrm.Config {
	return dlrm.Config{
		Dense: 3, Dim: 8, Bottom: []int{3, 8}, Top: []int{6, 1}, LearningRate: 0.2,
		Tables: []dlrm.Table{{Name: "a", Rows: 300, Lookups: 1}, {Name: "b", Rows: 900, Lookups: 3}, {Name: "c", Rows: 2, Lookups: 2}},
	}
}

// TBSM returns a model with three time steps.
func TBSM() dlrm.Config {
	return dlrm.Config{
		Kind: dlrm.TBSM, Steps: 3, Dense: 1, Dim: 4, Bottom: []int{1, 4}, Top: []int{5}, Attention: []int{3, 2}, Head: []int{4, 1}, LearningRate: 0.05,
		Optimiser: dlrm.Adagrad, Tables: []dlrm.Table{{Name: "user", Rows: 50, Lookups: 1}, {Name: "item", Rows: 120, Lookups: 1}},
	}
}

// Batch is the number of inputs of each of the Batches mini-batches, except the last.
const (
	Batch   = 24
	Batches = 7
)

// Clicks returns mini-batches of inputs with repeated rows and drift.
func Clicks(t testing.TB, model dlrm.Config) *train.Batches {
	p := gen.Params{Name: "test", Seed: 3, Dense: model.Dense, Steps: model.Steps, Contexts: 60, ContextZipf: 1.2, List: 2, Levels: 1, Rho: 0.9, Signal: 2, Day: 60, Drift: 0.5}
	for _, table := range model.Tables {
		p.Tables = append(p.Tables, gen.Table{Table: table, Zipf: 1})
	}
	clicks, err := gen.New(p, Batch*Batches-5)
	require.NoError(t, err)
	b, err := train.NewBatches(model, clicks, Batch, 0)
	require.NoError(t, err)
	return b
}

// Server returns a machine with the given number of GPUs.
func Server(t testing.TB, gpus int, valueless bool) *server.Server {
	cfg := server.DefaultConfig()
	cfg.GPUs, cfg.Valueless = gpus, valueless
	s, err := server.New(cfg)
	require.NoError(t, err)
	return s
}

// Initial returns the initial state of a model.
func Initial(t testing.TB, model dlrm.Config) *train.State {
	s, err := train.Initial(model, 5)
	require.NoError(t, err)
	return s
}

// Run trains a system.
func Run(t testing.TB, s train.System, b *train.Batches, w train.Watch) train.Result {
	r, err := train.Run(s, b, w, nil)
	require.NoError(t, err)
	return r
}

// Optimisers returns an optimiser of each rule. Some have weight decay and a schedule that passes
// through warm-up, constant rate and decay in Batches mini-batches.
func Optimisers() []dlrm.Optimiser {
	all := dlrm.Optimisers()
	for i := 1; i < len(all); i += 2 {
		all[i].WeightDecay, all[i].Schedule = 0.01, dlrm.Schedule{WarmupSteps: 3, DecayStart: 4, DecaySteps: 2}
	}
	return all
}

// Sequential tests the complete guarantee, with each optimiser.
func Sequential(t *testing.T, make New) {
	optimisers := Optimisers()
	for name, model := range map[string]dlrm.Config{"DLRM": DLRM(), "TBSM": TBSM()} {
		for i, gpus := range []int{1, 2, 3, 4, 8} {
			model := model
			model.Optimiser = optimisers[i]
			t.Run(fmt.Sprintf("%s, %d GPUs, %v", name, gpus, model.Optimiser.Rule), func(t *testing.T) { sequential(t, make, model, gpus) })
		}
	}
}

func sequential(t *testing.T, make New, model dlrm.Config, gpus int) {
	from := Initial(t, model)
	base := hybrid.New(Server(t, gpus, false), from)
	want := Run(t, base, Clicks(t, model), train.Unwatched{})

	a := NewAudit(Server(t, gpus, false))
	s, err := make(a.Server, from)
	require.NoError(t, err)
	w := consistency.New(from)
	got := a.Run(t, s, Clicks(t, model), w)
	require.NoError(t, a.Check(t, s, s.Order(), got.Works))
	require.Equal(t, []any{want.Loss, want.AUC}, []any{got.Loss, got.AUC})
	_, err = train.Compare(base, s)
	require.NoError(t, err)
	findings, err := w.Finish(s)
	require.NoError(t, err)
	require.Empty(t, findings)
	require.EqualValues(t, got.Inputs*model.Lookups(), w.Summary().Staleness.Reads)

	again, err := make(Server(t, gpus, false), from)
	require.NoError(t, err)
	require.Equal(t, got, Run(t, again, Clicks(t, model), train.Unwatched{}), "deterministic")

	off, err := make(Server(t, gpus, true), from)
	require.NoError(t, err)
	valueless := Run(t, off, Clicks(t, model), train.Unwatched{})
	require.Equal(t, got.Works, valueless.Works)
	require.Equal(t, got.Counts, valueless.Counts)

	resumed(t, make, base, from, gpus)
	profile, err := timing.LoadProfile("sceptic")
	require.NoError(t, err)
	_, err = timing.Time(s.Order(), timing.Plan{Machine: machine.Default(), Profile: profile, Model: model, GPUs: gpus, Nodes: 1}, got.Works)
	require.NoError(t, err)
}

// resumed tests a training that starts from a state in the middle.
func resumed(t *testing.T, make New, base train.System, from *train.State, gpus int) {
	const middle = 3
	half, all := hybrid.New(Server(t, 1, false), from), Clicks(t, from.Model)
	stop := fmt.Errorf("enough")
	_, err := train.Run(half, all, train.Unwatched{}, func(s train.Step) error {
		if s.MiniBatch == middle-1 {
			return stop
		}
		return nil
	})
	require.ErrorIs(t, err, stop)
	state, err := from.After(half)
	require.NoError(t, err)
	s, err := make(Server(t, gpus, false), state)
	require.NoError(t, err)
	Run(t, s, all.From(middle), train.Unwatched{})
	a, err := from.After(base)
	require.NoError(t, err)
	b, err := state.After(s)
	require.NoError(t, err)
	require.Equal(t, a.Tables, b.Tables, "resumed")
	require.NoError(t, a.Net.Diff(b.Net))
}
