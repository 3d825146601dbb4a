package dlrm

import (
	"math"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm/exact"
)

// testConfigs returns a model of each kind, and with each loss and optimiser.
func testConfigs() map[string]Config {
	mse := testConfig()
	mse.Loss = MSE
	all := map[string]Config{"TBSM": testTBSM(), "MSE": mse}
	for _, o := range Optimisers() {
		cfg := testConfig()
		cfg.Optimiser = o
		if o.Rule > RuleAdagrad {
			cfg.LearningRate = 0.02
			cfg.Optimiser.WeightDecay, cfg.Optimiser.Schedule = 0.01, Schedule{2, 5, 30}
		}
		all[o.Rule.String()] = cfg
	}
	return all
}

// testTBSM returns a small TBSM whose tower outputs have 6 values.
func testTBSM() Config {
	cfg := testConfig()
	cfg.Kind, cfg.Steps, cfg.Dense, cfg.Bottom[0], cfg.Top = TBSM, 4, 2, 2, []int{7, 6}
	cfg.Attention, cfg.Head = []int{5, 3}, []int{8, 1}
	cfg.Optimiser, cfg.LearningRate = Adagrad, 0.05
	return cfg
}

// testConfig returns a small DLRM that uses every feature: several layers, tables of different
// sizes, multiple lookups.
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

// model is a whole DLRM as a training system would keep it on one device: the network, and rows
// generated on demand.
type model struct {
	net     *Net
	seed    uint64
	trained int // mini-batches
	rows    map[uint64][]float32
	state   map[uint64][]float32
}

func newModel(t require.TestingT, cfg Config, seed uint64) *model {
	net, err := NewNet(cfg, seed)
	require.NoError(t, err)
	return &model{net: net, seed: seed, rows: map[uint64][]float32{}, state: map[uint64][]float32{}}
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
	require.NoError(t, m.net.Apply(m.trained, g))
	require.NoError(t, m.applyRows(rg))
}

// applyRows updates rows, or none of them if a gradient is invalid.
func (m *model) applyRows(rg *RowGrads) error {
	cfg := m.net.cfg
	grads, err := rg.Round()
	if err != nil {
		return err
	}
	for _, r := range grads {
		id := uint64(r.Table)<<32 | uint64(r.Index)
		if m.state[id] == nil {
			m.state[id] = make([]float32, cfg.Optimiser.RowStateLen(cfg.Dim))
		}
		cfg.Update(m.trained).Row(m.state[id], r.Grad)
		UpdateRow(m.row(r.Table, r.Index), r.Grad, -cfg.LearningRate)
	}
	m.trained++
	return nil
}

func toReference(m *model) *reference {
	cfg := m.net.cfg
	r := &reference{cfg: cfg}
	add := func(values []float32) {
		for _, v := range values {
			r.theta = append(r.theta, float64(v))
		}
	}
	for _, values := range m.net.Params() {
		add(values)
	}
	for t, table := range cfg.Tables {
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
		for range cfg.steps() {
			var dense []float64
			for _, x := range s.Dense[:cfg.Dense] {
				dense = append(dense, float64(x))
			}
			s.Dense = s.Dense[cfg.Dense:]
			var all [][]int
			for _, t := range cfg.Tables {
				var lookups []int
				for _, index := range s.Sparse[:t.Lookups] {
					lookups = append(lookups, int(index))
				}
				s.Sparse = s.Sparse[t.Lookups:]
				all = append(all, lookups)
			}
			out[i].dense, out[i].lookups = append(out[i].dense, dense), append(out[i].lookups, all)
		}
	}
	return out
}

// gradients runs a mini-batch and returns the gradients of all parameters, in the order of
// reference, and the loss.
func (m *model) gradients(t *testing.T, batch Batch) (grads []float32, loss float32) {
	cfg := m.net.cfg
	g, rg := m.net.NewGradients(), NewRowGrads(cfg.Dim)
	m.share(batch, batch.Len(), g, rg)
	loss, err := g.Loss()
	require.NoError(t, err)
	for _, s := range g.params() {
		values := make([]float32, s.Len())
		require.NoError(t, s.Round(values))
		grads = append(grads, values...)
	}
	first := make([]int, len(cfg.Tables)+1)
	for i, table := range cfg.Tables {
		first[i+1] = first[i] + table.Rows
	}
	dense := len(grads)
	grads = append(grads, make([]float32, first[len(cfg.Tables)]*cfg.Dim)...)
	rows, err := rg.Round()
	require.NoError(t, err)
	for _, r := range rows {
		copy(grads[dense+(first[r.Table]+int(r.Index))*cfg.Dim:], r.Grad)
	}
	return grads, loss
}

func TestGradientsMatchCentralDifferences(t *testing.T) {
	for name, cfg := range testConfigs() {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(4) {
				m := newModel(t, cfg, seed)
				batch := randomBatch(cfg, rand.New(rand.NewPCG(seed, 1)), 9)
				got, loss := m.gradients(t, batch)
				ref, refBatch := toReference(m), toRefSamples(cfg, batch)
				require.InDelta(t, ref.loss(refBatch), loss, 1e-6)
				want := ref.gradient(refBatch)
				require.Len(t, got, len(want))
				nonzero := 0
				for i := range want {
					require.InDelta(t, want[i], got[i], 4e-7+1e-5*math.Abs(want[i]), "parameter %d, seed %d", i, seed)
					if got[i] != 0 {
						nonzero++
					}
				}
				require.Greater(t, nonzero, len(want)/4)
			}
		})
	}
}

// TestManyInputsAreWorkedOffInChunks: the result of an input does not depend on the other inputs.
func TestManyInputsAreWorkedOffInChunks(t *testing.T) {
	for name, cfg := range testConfigs() {
		m := newModel(t, cfg, 3)
		const n = 2*WorkerInputs + 5
		batch := randomBatch(cfg, rand.New(rand.NewPCG(1, 1)), n)
		pooled := m.pool(batch)
		all, dAll, grads := make([]float32, n), make([]float32, len(pooled)), m.net.NewGradients()
		m.net.Worker().Train(batch, pooled, n, grads, all, dAll)

		w, size := m.net.Worker(), len(pooled)/n
		one, dOne, sum := make([]float32, n), make([]float32, len(pooled)), m.net.NewGradients()
		for i := range n {
			w.Train(batch.Slice(i, i+1), pooled[i*size:][:size], n, sum, one[i:][:1], dOne[i*size:][:size])
		}
		require.Equal(t, -1, FirstDiff(all, one), name)
		require.Equal(t, -1, FirstDiff(dAll, dOne), name)
		other := m.net.Clone()
		require.NoError(t, m.net.Apply(0, grads))
		require.NoError(t, other.Apply(0, sum))
		require.NoError(t, m.net.Diff(other), name)
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

// TestWorkersShareANet trains in four goroutines on one network concurrently.
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
			for k := range 50 * 20 { // long enough to run concurrently
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
		{"infinite weight", func(n *Net, b *Batch) { n.layers[bottom][0].w[0] = float32(math.Inf(1)) }, exact.ErrNotFinite},
		{"NaN weight inside", func(n *Net, b *Batch) { n.layers[top][1].w[3] = float32(math.NaN()) }, exact.ErrNotFinite},
		{"huge feature", func(n *Net, b *Batch) { b.Dense[6], n.layers[bottom][0].w[0] = 1e20, 1e20 }, exact.ErrNotFinite},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := newModel(t, cfg, 8)
			batch := randomBatch(cfg, rand.New(rand.NewPCG(2, 2)), 4)
			c.spoil(m.net, &batch)
			before := m.net.Hash()
			g, rg := m.net.NewGradients(), NewRowGrads(cfg.Dim)
			m.share(batch, batch.Len(), g, rg)
			err := m.net.Apply(m.trained, g)
			require.ErrorIs(t, err, c.want)
			require.ErrorContains(t, err, "gradient of ")
			require.Equal(t, before, m.net.Hash())
		})
	}
}
