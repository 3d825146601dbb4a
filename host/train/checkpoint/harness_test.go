package checkpoint_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/functional"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/checkpoint"
	"github.com/hotline-rtl/hotline/host/train/hotline"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

const (
	seed  = 3
	batch = 32
)

// newModel returns a small model whose rows are read repeatedly.
func newModel(kind dlrm.Kind, optimiser dlrm.Optimiser) dlrm.Config {
	m := dlrm.Config{
		Kind: kind, Dense: 3, Dim: 8, Bottom: []int{3, 8}, Top: []int{6, 1}, LearningRate: 0.2, Optimiser: optimiser,
		Tables: []dlrm.Table{{Name: "a", Rows: 300, Lookups: 1}, {Name: "b", Rows: 2000, Lookups: 3}, {Name: "c", Rows: 20, Lookups: 4}},
	}
	if kind == dlrm.TBSM {
		m.Steps, m.Top, m.Attention, m.Head = 3, []int{6, 5}, []int{2, 4, 2}, []int{10, 7, 1}
	}
	return m
}

// newBatches returns the first mini-batches for a model.
func newBatches(t testing.TB, m dlrm.Config, n int) *train.Batches {
	p := gen.Params{Name: "test", Seed: seed, Dense: m.Dense, Steps: m.Steps, Contexts: 120, ContextZipf: 1.2, List: 2, Levels: 1, Rho: 0.97, Signal: 2, Bias: -1, Day: 150, Drift: 0.5}
	for _, table := range m.Tables {
		p.Tables = append(p.Tables, gen.Table{Table: table, Zipf: 1.1})
	}
	source, err := gen.New(p, int64(n)*batch)
	require.NoError(t, err)
	b, err := train.NewBatches(m, source, batch, 0)
	require.NoError(t, err)
	return b
}

// machine returns a training system by name, on a number of GPUs.
type machine struct {
	system string
	gpus   int
}

func (m machine) begin(t testing.TB, from *train.State) train.System {
	cfg := server.DefaultConfig()
	cfg.GPUs = m.gpus
	s, err := server.New(cfg)
	require.NoError(t, err)
	if m.system == "hybrid" {
		return hybrid.New(s, from)
	}
	p := arch.Small()
	p.Blocks, p.Tables, p.Slots = 256, 64, 64 // for rm1
	card, err := functional.New(s.Kernel, p, s.Config.Period, s.Config.Endpoint)
	require.NoError(t, err)
	dev, err := s.Insert(card)
	require.NoError(t, err)
	opts := hotline.DefaultOptions()
	opts.Sample, opts.Relearn = 0.5, 2
	h, err := hotline.New(s, dev, from, opts)
	require.NoError(t, err)
	return h
}

// train resumes from a state, trains on some mini-batches, and writes a checkpoint.
func (m machine) train(t testing.TB, from *train.State, b *train.Batches) string {
	h := m.begin(t, from)
	end := 0
	_, err := train.Run(h, b, train.Unwatched{}, func(step train.Step) error {
		end = step.MiniBatch + 1
		return nil
	})
	require.NoError(t, err)
	latest, err := b.At(end - 1)
	require.NoError(t, err)
	state, err := from.After(h)
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "model.safetensors")
	require.NoError(t, checkpoint.Write(path, &checkpoint.Checkpoint{
		State: state, Batch: batch, Data: b.Source().Name(), MiniBatches: end, Inputs: int64(end) * batch, Latest: checkpoint.Digest(latest),
	}))
	return path
}

func initial(t testing.TB, m dlrm.Config) *train.State {
	s, err := train.Initial(m, seed)
	require.NoError(t, err)
	return s
}
