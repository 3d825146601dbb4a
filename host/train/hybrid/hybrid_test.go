package hybrid_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/gen"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// newModel returns a model with rows that cross memory pages.
func newModel() dlrm.Config {
	return dlrm.Config{
		Dense: 2, Dim: 5, Bottom: []int{2, 6, 5}, Top: []int{4, 1}, LearningRate: 0.3,
		Tables: []dlrm.Table{{Name: "a", Rows: 1000, Lookups: 2}, {Name: "b", Rows: 30, Lookups: 3}},
	}
}

func newBatches(t *testing.T, model dlrm.Config, seed uint64) *train.Batches {
	p := gen.Params{Name: "test", Seed: seed, Dense: model.Dense, Contexts: 30, ContextZipf: 1, List: 2, Levels: 1, Rho: 0.8, Signal: 2}
	for _, table := range model.Tables {
		p.Tables = append(p.Tables, gen.Table{Table: table, Zipf: 0.9})
	}
	clicks, err := gen.New(p, 150)
	require.NoError(t, err)
	b, err := train.NewBatches(model, clicks, 32, 0)
	require.NoError(t, err)
	return b
}

func newSystem(t *testing.T, model dlrm.Config, gpus int, seed uint64) *hybrid.System {
	cfg := server.DefaultConfig()
	cfg.GPUs = gpus
	s, err := server.New(cfg)
	require.NoError(t, err)
	start, err := train.Initial(model, seed)
	require.NoError(t, err)
	return hybrid.New(s, start)
}

// reference is the same training without a machine: one network, rows in a map.
type reference struct {
	*hybrid.System // only its name is used
	model          dlrm.Config
	seed           uint64
	net            *dlrm.Net
	rows, states   map[uint64][]float32
	works          []timing.Work
}

func (r *reference) Net() *dlrm.Net { return r.net }

func (r *reference) at(table int, index uint32) []float32 {
	key := uint64(table)<<32 | uint64(index)
	if r.rows[key] == nil {
		r.rows[key] = make([]float32, r.model.Dim)
		dlrm.InitRow(r.model, r.seed, table, index, r.rows[key])
	}
	return r.rows[key]
}

func (r *reference) Touched(table int) []train.Span {
	var list []train.Span
	for key := range r.rows {
		if row := int(uint32(key)); int(key>>32) == table {
			list = append(list, train.Span{First: row, End: row + 1})
		}
	}
	return train.Union(list)
}

func (r *reference) Row(table int, index uint32, dst []float32) error {
	copy(dst, r.at(table, index))
	return nil
}

func (r *reference) train(t *testing.T, b *train.Batches) (probs []float32, losses []float32) {
	w, g, rows := r.net.Worker(), r.net.NewGradients(), dlrm.NewRowGrads(r.model.Dim)
	bags := r.model.Bags()
	size := len(bags) * r.model.Dim
	for m := 0; ; m++ {
		g.Reset()
		rows.Reset()
		batch, err := b.At(m)
		if errors.Is(err, io.EOF) {
			return probs, losses
		}
		require.NoError(t, err)
		pooled, dPooled, p := make([]float32, batch.Len()*size), make([]float32, batch.Len()*size), make([]float32, batch.Len())
		for i := range batch.Len() {
			r.model.PoolSample(pooled[i*size:][:size], batch.At(i).Sparse, r.at)
		}
		w.Train(batch, pooled, batch.Len(), g, p, dPooled)
		rows.AddBatch(bags, batch, dPooled)
		probs = append(probs, p...)
		loss, err := g.Loss()
		require.NoError(t, err)
		losses = append(losses, loss)
		require.NoError(t, r.net.Apply(m, g))
		list, err := rows.Round()
		require.NoError(t, err)
		r.works = append(r.works, timing.Work{Inputs: batch.Len(), ColdRows: len(list)})
		for _, x := range list {
			key := uint64(x.Table)<<32 | uint64(x.Index)
			if r.states[key] == nil {
				r.states[key] = make([]float32, r.model.Optimiser.RowStateLen(r.model.Dim))
			}
			r.model.Update(m).Row(r.states[key], x.Grad)
			dlrm.UpdateRow(r.at(x.Table, x.Index), x.Grad, -r.model.LearningRate)
		}
	}
}

func TestTrainsAsTheRuleSays(t *testing.T) {
	for gpus := 1; gpus <= 4; gpus++ {
		t.Run(fmt.Sprint(gpus, " GPUs"), func(t *testing.T) {
			model, seed := newModel(), uint64(gpus)
			if gpus%2 == 0 {
				model.Optimiser, model.Loss = dlrm.Adagrad, dlrm.MSE
			}
			b := newBatches(t, model, seed)
			h := newSystem(t, model, gpus, seed)
			var probs, losses []float32
			got, err := train.Run(h, b, train.Unwatched{}, func(s train.Step) error {
				probs = append(probs, s.Probabilities...)
				losses = append(losses, s.Loss)
				return nil
			})
			require.NoError(t, err)

			net, err := dlrm.NewNet(model, seed)
			require.NoError(t, err)
			want := &reference{System: h, model: model, seed: seed, net: net, rows: map[uint64][]float32{}, states: map[uint64][]float32{}}
			wantProbs, wantLosses := want.train(t, b)
			require.Equal(t, wantProbs, probs)
			require.Equal(t, wantLosses, losses)
			require.Equal(t, want.works, got.Works)
			n, err := train.Compare(want, h)
			require.NoError(t, err)
			require.Equal(t, got.Parameters, n)
			require.NotNil(t, got.AUC)
		})
	}
}

func TestRefusals(t *testing.T) {
	s, err := server.New(server.DefaultConfig())
	require.NoError(t, err)
	model := newModel()
	model.Tables[0].Rows = 1 << 32
	model.Tables[1].Rows = 1 << 32
	model.Tables = append(model.Tables, model.Tables...)
	start, err := train.Initial(model, 1)
	require.NoError(t, err)
	h := hybrid.New(s, start)
	full := &server.OutOfMemory{}
	require.ErrorAs(t, h.Train(newBatches(t, model, 8), train.Unwatched{}, nil), &full)
	require.Equal(t, "host memory", full.Where)
	require.Len(t, full.Parts, 1)
	tables := full.Parts[0]
	require.Equal(t, "embedding tables", tables.What)

	s, err = server.New(server.DefaultConfig())
	require.NoError(t, err)
	model.Optimiser = dlrm.Adagrad
	start, err = train.Initial(model, 1)
	require.NoError(t, err)
	h = hybrid.New(s, start)
	require.ErrorAs(t, h.Train(newBatches(t, model, 8), train.Unwatched{}, nil), &full)
	require.Equal(t, []server.Part{tables, {What: "optimiser states of embedding rows", Bytes: tables.Bytes}}, full.Parts)
	require.Equal(t, 2*tables.Bytes, full.Needs)
}

// TestBadGradientEndsTheRun: an input far out of range ends the run.
func TestBadGradientEndsTheRun(t *testing.T) {
	model := newModel()
	model.LearningRate = 1e30
	_, err := train.Run(newSystem(t, model, 2, 1), newBatches(t, model, 1), train.Unwatched{}, nil)
	require.ErrorContains(t, err, "hybrid CPU-GPU, mini-batch 1: ")
	require.ErrorContains(t, err, "gradient of ")
}

// TestReplicasAreCompared: replicas are compared at the end of a training.
func TestReplicasAreCompared(t *testing.T) {
	h := newSystem(t, newModel(), 2, 1)
	_, err := train.Run(h, newBatches(t, newModel(), 1), train.Unwatched{}, func(train.Step) error {
		for _, values := range h.Net().Params() {
			values[0]++ // on GPU 0 only
			break
		}
		return nil
	})
	require.ErrorContains(t, err, "dense replicas of GPU 0 and GPU 1 differ: ")
}
