package rec

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/rec/exact"
)

// testConfig is a small model that has every feature: several layers, tables of different sizes, multiple lookups.
func testConfig() Config {
	return Config{
		Dense: 3, Dim: 4, Bottom: []int{3, 6, 4}, Top: []int{7, 5, 1}, LearningRate: 0.5,
		Tables: []Table{{"a", 5, 1}, {"b", 50, 3}, {"c", 7, 2}},
	}
}

func randomBatch(cfg Config, rng *rand.Rand, n int) Batch {
	var b Batch
	for range n {
		b.Labels = append(b.Labels, float32(rng.IntN(2)))
		for range cfg.DenseWidth() {
			b.Dense = append(b.Dense, rng.Float32()*3)
		}
		for _, bag := range cfg.Bags() {
			for range bag.Lookups {
				b.Sparse = append(b.Sparse, uint32(rng.IntN(cfg.Tables[bag.Table].Rows)))
			}
		}
	}
	return b
}

// model is a whole DLRM as a training system would keep it on one device: the network and rows made on demand.
type model struct {
	net  *Net
	seed uint64
	rows map[uint64][]float32
}

func newModel(t require.TestingT, cfg Config, seed uint64) *model {
	net, err := NewNet(cfg, seed)
	require.NoError(t, err)
	return &model{net: net, seed: seed, rows: map[uint64][]float32{}}
}

func (m *model) row(table int, index uint32) []float32 {
	id := uint64(table)<<32 | uint64(index)
	if m.rows[id] == nil {
		m.rows[id] = make([]float32, m.net.cfg.Dim)
		InitRow(m.net.cfg, m.seed, table, index, m.rows[id])
	}
	return m.rows[id]
}

// pool pools the rows of all inputs.
func (m *model) pool(b Batch) []float32 {
	cfg := m.net.cfg
	size := len(cfg.Bags()) * cfg.Dim
	pooled := make([]float32, b.Len()*size)
	for i := range b.Len() {
		cfg.PoolSample(pooled[i*size:][:size], b.At(i).Sparse, m.row)
	}
	return pooled
}

// share runs a part of a mini-batch of n inputs.
func (m *model) share(part Batch, n int, g *Gradients, rg *RowGrads) (probabilities []float32) {
	pooled := m.pool(part)
	probabilities, dPooled := make([]float32, part.Len()), make([]float32, len(pooled))
	m.net.Worker().Train(part, pooled, n, g, probabilities, dPooled)
	rg.AddBatch(m.net.cfg.Bags(), part, dPooled)
	return probabilities
}

func (m *model) apply(t require.TestingT, g *Gradients, rg *RowGrads) {
	require.NoError(t, m.net.Apply(g, m.net.cfg.LearningRate))
	m.applyRows(t, rg)
}

func (m *model) applyRows(t require.TestingT, rg *RowGrads) {
	grads, err := rg.Round()
	require.NoError(t, err)
	for _, r := range grads {
		UpdateRow(m.row(r.Table, r.Index), r.Grad, -m.net.cfg.LearningRate)
	}
}

func toReference(m *model) *reference {
	cfg := m.net.cfg
	r := &reference{bottom: cfg.Bottom, top: append([]int{cfg.TopIn()}, cfg.Top...), dim: cfg.Dim}
	add := func(values []float32) {
		for _, v := range values {
			r.theta = append(r.theta, float64(v))
		}
	}
	for _, values := range m.net.Params() {
		add(values)
	}
	for t, table := range cfg.Tables {
		r.rows = append(r.rows, table.Rows)
		for i := range table.Rows {
			add(m.row(t, uint32(i)))
		}
	}
	return r
}

func toRefSamples(cfg Config, batch Batch) []refSample {
	out := make([]refSample, batch.Len())
	for i := range out {
		s := batch.At(i)
		out[i].label = float64(s.Label)
		for _, x := range s.Dense {
			out[i].dense = append(out[i].dense, float64(x))
		}
		slot := 0
		for _, t := range cfg.Tables {
			var lookups []int
			for range t.Lookups {
				lookups = append(lookups, int(s.Sparse[slot]))
				slot++
			}
			out[i].lookups = append(out[i].lookups, lookups)
		}
	}
	return out
}

func TestGradientsMatchCentralDifferences(t *testing.T) {
	cfg := testConfig()
	for seed := range uint64(4) {
		m := newModel(t, cfg, seed)
		batch := randomBatch(cfg, rand.New(rand.NewPCG(seed, 1)), 9)
		g, rg := m.net.NewGradients(), NewRowGrads(cfg.Dim)
		m.share(batch, batch.Len(), g, rg)

		ref := toReference(m)
		refBatch := toRefSamples(cfg, batch)
		loss, err := g.Loss()
		require.NoError(t, err)
		require.InDelta(t, ref.loss(refBatch, binaryCrossEntropy), loss, 1e-6)
		want := ref.gradient(refBatch, binaryCrossEntropy)

		var got []float32
		for _, s := range g.params() {
			values := make([]float32, s.Len())
			require.NoError(t, s.Round(values))
			got = append(got, values...)
		}
		rows := make(map[int][]float32)
		grads, err := rg.Round()
		require.NoError(t, err)
		first := make([]int, len(cfg.Tables)+1)
		for i, table := range cfg.Tables {
			first[i+1] = first[i] + table.Rows
		}
		for _, r := range grads {
			rows[first[r.Table]+int(r.Index)] = r.Grad
		}
		for i := range first[len(cfg.Tables)] {
			if rows[i] == nil {
				rows[i] = make([]float32, cfg.Dim)
			}
			got = append(got, rows[i]...)
		}
		require.Len(t, got, len(want))
		nonzero := 0
		for i := range want {
			require.InDelta(t, want[i], got[i], 2e-7+1e-5*math.Abs(want[i]), "parameter %d, seed %d", i, seed)
			if got[i] != 0 {
				nonzero++
			}
		}
		require.Greater(t, nonzero, len(want)/4)
	}
}

func TestPredictDoesNotDependOnHistory(t *testing.T) {
	cfg := testConfig()
	m := newModel(t, cfg, 3)
	batch := randomBatch(cfg, rand.New(rand.NewPCG(1, 1)), 5)
	used := m.net.Worker()
	pooled, got := m.pool(batch), make([]float32, 5)
	used.Train(batch, pooled, 5, m.net.NewGradients(), got, make([]float32, 60))
	for i := range got {
		one := make([]float32, 1)
		m.net.Worker().Predict(batch.Slice(i, i+1), pooled[12*i:][:12], one)
		require.Equal(t, got[i], one[0])
		used.Predict(batch.Slice(i, i+1), pooled[12*i:][:12], one)
		require.Equal(t, got[i], one[0])
	}
	require.Panics(t, func() { used.Predict(batch.Slice(0, 1), pooled, got) })
	require.Panics(t, func() { used.Predict(batch, pooled[1:], got) })
	batch.Dense = batch.Dense[1:]
	require.Panics(t, func() { used.Predict(batch, pooled, got) })
}

// TestWorkersShareANet lets four goroutines train on one network at once.
func TestWorkersShareANet(t *testing.T) {
	cfg := testConfig()
	m := newModel(t, cfg, 5)
	batch := randomBatch(cfg, rand.New(rand.NewPCG(6, 6)), 200)
	pooled, want := m.pool(batch), make([]float32, 200)
	m.net.Worker().Predict(batch, pooled, want)
	var all sync.WaitGroup
	var wrong [4]int
	for g := range wrong {
		all.Add(1)
		go func() {
			defer all.Done()
			w, grads, got, dPooled := m.net.Worker(), m.net.NewGradients(), make([]float32, 10), make([]float32, 120)
			for k := range 50 * 20 { // long enough to run beside each other
				i := (k + 5*g) % 20 * 10
				w.Train(batch.Slice(i, i+10), pooled[12*i:][:120], 200, grads, got, dPooled)
				if FirstDiff(want[i:i+10], got) >= 0 {
					wrong[g]++
				}
			}
		}()
	}
	all.Wait()
	require.Zero(t, wrong)
}

func TestBrokenNumbersAreReportedAndChangeNothing(t *testing.T) {
	cfg := testConfig()
	for _, c := range []struct {
		name  string
		spoil func(n *Net, b *Batch)
		want  error
	}{
		{"NaN feature", func(n *Net, b *Batch) { b.Dense[7] = float32(math.NaN()) }, exact.ErrNotFinite},
		{"infinite weight", func(n *Net, b *Batch) { n.bottom[0].w[0] = float32(math.Inf(1)) }, exact.ErrNotFinite},
		{"NaN weight inside", func(n *Net, b *Batch) { n.top[1].w[3] = float32(math.NaN()) }, exact.ErrNotFinite},
		{"huge feature", func(n *Net, b *Batch) { b.Dense[6], n.bottom[0].w[0] = 1e20, 1e20 }, exact.ErrNotFinite},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newModel(t, cfg, 8)
			batch := randomBatch(cfg, rand.New(rand.NewPCG(2, 2)), 4)
			c.spoil(m.net, &batch)
			before := m.net.Hash()
			g, rg := m.net.NewGradients(), NewRowGrads(cfg.Dim)
			m.share(batch, batch.Len(), g, rg)
			err := m.net.Apply(g, 0.1)
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, "gradient of ")
			require.Equal(t, before, m.net.Hash())
		})
	}
}

func TestSigmoidAndCrossEntropy(t *testing.T) {
	for _, z := range []float32{-200, -30, -1, 0, 0.5, 20, 200} {
		require.InDelta(t, 1/(1+math.Exp(-float64(z))), sigmoid(z), 1e-7)
	}
	require.Equal(t, float32(0.5), sigmoid(0))
	require.InDelta(t, math.Ln2, crossEntropy(0.5, 1), 1e-15)
	require.InDelta(t, -math.Log(0.75), crossEntropy(0.25, 0), 1e-15)
	require.Equal(t, 100.0, crossEntropy(0, 1))
	require.Equal(t, 100.0, crossEntropy(1, 0))
	require.Equal(t, 0.0, crossEntropy(1, 1))
}
