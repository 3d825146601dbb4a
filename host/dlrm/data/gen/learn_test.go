package gen

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// trainer is a small DLRM that keeps its rows in a map.
type trainer struct {
	cfg  dlrm.Config
	net  *dlrm.Net
	rows map[uint64][]float32
}

func newTrainer(t *testing.T, p Params) *trainer {
	cfg := model(p)
	cfg.Dim, cfg.Bottom, cfg.Top, cfg.LearningRate = 8, []int{cfg.Dense, 16, 8}, []int{16, 1}, 0.1
	net, err := dlrm.NewNet(cfg, 9)
	require.NoError(t, err)
	return &trainer{cfg: cfg, net: net, rows: map[uint64][]float32{}}
}

func (m *trainer) row(table int, index uint32) []float32 {
	id := uint64(table)<<32 | uint64(index)
	if m.rows[id] == nil {
		m.rows[id] = make([]float32, m.cfg.Dim)
		dlrm.InitRow(m.cfg, 9, table, index, m.rows[id])
	}
	return m.rows[id]
}

// pool returns inputs as a batch, and their pooled vectors.
func (m *trainer) pool(samples []dlrm.Sample) (inputs dlrm.Batch, pooled []float32) {
	size := len(m.cfg.Tables) * m.cfg.Dim
	pooled = make([]float32, len(samples)*size)
	for i, s := range samples {
		inputs.Append(s)
		m.cfg.PoolSample(pooled[i*size:][:size], s.Sparse, m.row)
	}
	return inputs, pooled
}

func (m *trainer) train(t *testing.T, samples []dlrm.Sample, batch int) {
	w, g, rg := m.net.Worker(), m.net.NewGradients(), dlrm.NewRowGrads(m.cfg.Dim)
	for ; len(samples) >= batch; samples = samples[batch:] {
		g.Reset()
		rg.Reset()
		inputs, pooled := m.pool(samples[:batch])
		dPooled := make([]float32, len(pooled))
		w.Train(inputs, pooled, batch, g, make([]float32, batch), dPooled)
		rg.AddBatch(m.cfg.Bags(), inputs, dPooled)
		require.NoError(t, m.net.Apply(0, g))
		grads, err := rg.Round()
		require.NoError(t, err)
		for _, r := range grads {
			dlrm.UpdateRow(m.row(r.Table, r.Index), r.Grad, -m.cfg.LearningRate)
		}
	}
}

func (m *trainer) auc(t *testing.T, samples []dlrm.Sample) float64 {
	inputs, pooled := m.pool(samples)
	scores := make([]float32, len(samples))
	m.net.Worker().Predict(inputs, pooled, scores)
	auc, err := dlrm.AUC(scores, inputs.Labels)
	require.NoError(t, err)
	return auc
}

// TestGeneratedLabelsCanBeLearned trains on the first inputs and tests on the following inputs.
func TestGeneratedLabelsCanBeLearned(t *testing.T) {
	p := CriteoLike(7)
	inputs := generate(t, p, 8000)
	m := newTrainer(t, p)
	m.train(t, inputs[:6000], 32)
	require.Greater(t, m.auc(t, inputs[6000:]), 0.7)

	p.Signal = 0
	noise := generate(t, p, 8000)
	m = newTrainer(t, p)
	m.train(t, noise[:6000], 32)
	require.InDelta(t, 0.5, m.auc(t, noise[6000:]), 0.05, "without a signal there is nothing to learn")
}
