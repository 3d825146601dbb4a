package hybrid_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec"
	"github.com/hotline-rtl/hotline/host/rec/data"
	"github.com/hotline-rtl/hotline/host/server"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/hybrid"
)

// newModel has rows that cross the pages of memory.
func newModel() rec.Config {
	return rec.Config{
		Dense: 2, Dim: 5, Bottom: []int{2, 6, 5}, Top: []int{4, 1}, LearningRate: 0.3,
		Tables: []rec.Table{{Name: "a", Rows: 1000, Lookups: 2}, {Name: "b", Rows: 30, Lookups: 3}},
	}
}

func newBatches(t *testing.T, model rec.Config, seed uint64) train.Batches {
	p := data.Params{Name: "test", Seed: seed, Dense: model.Dense, Contexts: 30, ContextZipf: 1, List: 2, Rho: 0.8, Signal: 2}
	for _, table := range model.Tables {
		p.Tables = append(p.Tables, data.GenTable{Table: table, Zipf: 0.9})
	}
	set, err := data.Generate(p, 150)
	require.NoError(t, err)
	b, err := train.NewBatches(model, set, 32)
	require.NoError(t, err)
	return b
}

func newSystem(t *testing.T, model rec.Config, gpus int, opts hybrid.Options) *hybrid.System {
	_, h := newMachine(t, model, gpus, opts)
	return h
}

func newMachine(t *testing.T, model rec.Config, gpus int, opts hybrid.Options) (*server.Server, *hybrid.System) {
	cfg := server.DefaultConfig()
	cfg.Machine.GPUs = gpus
	s, err := server.New(cfg)
	require.NoError(t, err)
	h, err := hybrid.New(s, model, opts)
	require.NoError(t, err)
	return s, h
}

// reference is the same training without machine: one network, rows in a map.
type reference struct {
	*hybrid.System // for its name only
	model          rec.Config
	seed           uint64
	net            *rec.Net
	rows           map[uint64][]float32
}

func (r *reference) Net() *rec.Net { return r.net }

func (r *reference) at(table int, index uint32) []float32 {
	key := uint64(table)<<32 | uint64(index)
	if r.rows[key] == nil {
		r.rows[key] = make([]float32, r.model.Dim)
		rec.InitRow(r.model, r.seed, table, index, r.rows[key])
	}
	return r.rows[key]
}

func (r *reference) Row(table int, index uint32, dst []float32) error {
	copy(dst, r.at(table, index))
	return nil
}

func (r *reference) train(t *testing.T, b train.Batches) (probs []float32, losses []float32) {
	w, g, rows := r.net.Worker(), r.net.NewGradients(), rec.NewRowGrads(r.model.Dim)
	bags := r.model.Bags()
	size := len(bags) * r.model.Dim
	for m := range b.Len() {
		g.Reset()
		rows.Reset()
		batch := b.At(m)
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
		require.NoError(t, r.net.Apply(g, r.model.LearningRate))
		list, err := rows.Round()
		require.NoError(t, err)
		for _, x := range list {
			rec.UpdateRow(r.at(x.Table, x.Index), x.Grad, -r.model.LearningRate)
		}
	}
	return probs, losses
}

func TestTrainsAsTheRuleSays(t *testing.T) {
	for gpus := 1; gpus <= 4; gpus++ {
		t.Run(fmt.Sprint(gpus, " GPUs"), func(t *testing.T) {
			model, seed := newModel(), uint64(gpus)
			b := newBatches(t, model, seed)
			h := newSystem(t, model, gpus, hybrid.DefaultOptions(seed))
			var probs, losses []float32
			got, err := train.Run(h, b, func(s train.Step) {
				probs = append(probs, s.Probabilities...)
				losses = append(losses, s.Loss)
			})
			require.NoError(t, err)

			net, err := rec.NewNet(model, seed)
			require.NoError(t, err)
			want := &reference{System: h, model: model, seed: seed, net: net, rows: map[uint64][]float32{}}
			wantProbs, wantLosses := want.train(t, b)
			require.Equal(t, wantProbs, probs)
			require.Equal(t, wantLosses, losses)
			n, err := train.Compare(want, h)
			require.NoError(t, err)
			require.Equal(t, got.Parameters, n)
			require.NotNil(t, got.AUC)
		})
	}
}

func TestTime(t *testing.T) {
	model := newModel()
	b := newBatches(t, model, 1)
	result := func(gpus int, sw node.Software) train.Result {
		got, err := train.Run(newSystem(t, model, gpus, hybrid.Options{Seed: 1, Software: sw}), b, nil)
		require.NoError(t, err)
		var sum node.Time
		for _, p := range got.Breakdown {
			sum += p.Time
		}
		require.Equal(t, got.Time, sum)
		return got
	}
	one, two := result(1, node.Optimised), result(2, node.Optimised)
	require.Greater(t, two.Part("copies to GPUs"), one.Part("copies to GPUs"), "twice as many copies")
	require.Greater(t, two.Part("all-reduce, optimiser"), one.Part("all-reduce, optimiser"))
	slow := result(1, node.Reference)
	require.Greater(t, slow.Part("CPU gather"), one.Part("CPU gather"))
	require.Greater(t, slow.Part("CPU update"), one.Part("CPU update"))
	require.Equal(t, slow.Part("MLPs"), one.Part("MLPs"))

	var gpu, copies int
	for _, u := range one.Busy {
		switch u.Resource + " " + u.Label {
		case "GPU 0 MLPs":
			gpu = u.Count
		case "host-GPU copies gradients":
			copies = u.Count
		}
	}
	require.Equal(t, []int{5, 5}, []int{gpu, copies}, "per mini-batch")
}

func TestRefusals(t *testing.T) {
	s, err := server.New(server.DefaultConfig())
	require.NoError(t, err)
	model := newModel()
	model.Dim = 0
	_, err = hybrid.New(s, model, hybrid.DefaultOptions(1))
	require.ErrorContains(t, err, "model: embedding dimension is 0, expected at least 1")
	model = newModel()
	model.Tables[0].Rows = 1 << 32
	model.Tables[1].Rows = 1 << 32
	model.Tables = append(model.Tables, model.Tables...)
	_, err = hybrid.New(s, model, hybrid.DefaultOptions(1))
	require.ErrorContains(t, err, "hybrid: server: host memory: 85899345920 bytes for embedding table")
}

// TestBadGradientEndsTheRun: an input far out of range.
func TestBadGradientEndsTheRun(t *testing.T) {
	model := newModel()
	model.LearningRate = 1e30
	_, err := train.Run(newSystem(t, model, 2, hybrid.DefaultOptions(1)), newBatches(t, model, 1), nil)
	require.ErrorContains(t, err, "hybrid CPU-GPU, mini-batch 1 of 5: ")
	require.ErrorContains(t, err, "gradient of ")
}

// TestNumbersAreThoseAtTheEndOfTheWork: a row that changes while the CPU gathers
// counts as it is when the CPU has gathered.
func TestNumbersAreThoseAtTheEndOfTheWork(t *testing.T) {
	model := newModel()
	b := newBatches(t, model, 1)
	row := uint64(4<<30) + uint64(b.At(0).Sparse[0])*4*uint64(model.Dim) // of the first table, where host memory begins
	run := func(prepare func(s *server.Server, change func())) float64 {
		s, h := newMachine(t, model, 2, hybrid.DefaultOptions(1))
		prepare(s, func() { require.NoError(t, s.Host.Memory().WriteFloat32s(row, []float32{1, 1, 1, 1, 1})) })
		got, err := train.Run(h, b, nil)
		require.NoError(t, err)
		return got.Loss
	}
	before := run(func(_ *server.Server, change func()) { change() })
	during := run(func(s *server.Server, change func()) { s.Kernel.At(1, change) })
	require.Equal(t, before, during)
	require.NotEqual(t, before, run(func(*server.Server, func()) {}))
}

// TestReplicasAreCompared at the end of a training.
func TestReplicasAreCompared(t *testing.T) {
	h := newSystem(t, newModel(), 2, hybrid.DefaultOptions(1))
	_, err := train.Run(h, newBatches(t, newModel(), 1), func(train.Step) {
		for _, values := range h.Net().Params() {
			values[0]++ // on GPU 0 only
			break
		}
	})
	require.ErrorContains(t, err, "dense replicas of GPU 0 and GPU 1 differ: ")
}
