package gen

import (
	"io"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data/datatest"
	"github.com/hotline-rtl/hotline/host/dlrm/data/profile"
	"github.com/hotline-rtl/hotline/host/dlrm/detmath"
)

func generate(t *testing.T, p Params, n int) []dlrm.Sample {
	s, err := New(p, int64(n))
	require.NoError(t, err)
	inputs, err := datatest.Read(s, 0)
	require.NoError(t, err)
	return inputs
}

// model returns a model with the tables of the parameters.
func model(p Params) dlrm.Config {
	shape := (&Source{p: p}).Shape()
	return dlrm.Config{Dense: shape.Dense, Steps: shape.Steps, Tables: shape.Tables}
}

func TestCriteoLikeFits(t *testing.T) {
	clicks := float32(0)
	cfg := model(CriteoLike(2))
	for _, s := range generate(t, CriteoLike(2), 4000) {
		require.NoError(t, cfg.Check(s))
		clicks += s.Label
	}
	require.InDelta(t, 0.25, clicks/4000, 0.05)
}

// TestContextsMakePopularInputs: without contexts, hardly any input has only popular rows.
func TestContextsMakePopularInputs(t *testing.T) {
	target := []profile.Target{{Kind: profile.Popular, Rows: 0.2, OfRead: true}}
	p := CriteoLike(1)
	with := measure(t, p, 8000, target).Targets[0].Reached
	require.InDelta(t, 0.202, with, 0.03)
	p.Rho = 0
	require.Less(t, measure(t, p, 8000, target).Targets[0].Reached, with/10)
}

// TestInputsDependOnTheirNumberAlone: an input does not depend on the start of reading, the read
// size, or other inputs.
func TestInputsDependOnTheirNumberAlone(t *testing.T) {
	for _, p := range []Params{CriteoLike(3), preset(t, "kaggle").Params, preset(t, "taobao").Params} {
		p.Day, p.Drift = 10, 0.3
		inputs := generate(t, p, 50)
		s, err := New(p, 50)
		require.NoError(t, err)
		for _, at := range []int64{0, 1, 37, 49} {
			r, err := s.Open(at)
			require.NoError(t, err)
			var b dlrm.Batch
			require.NoError(t, r.Read(&b, 1))
			if at < 49 {
				require.NoError(t, r.Read(&b, 60))
			}
			require.ErrorIs(t, r.Read(&b, 1), io.EOF)
			require.Equal(t, 50-int(at), b.Len())
			for i := range b.Len() {
				require.Equal(t, inputs[int(at)+i], b.At(i))
			}
			require.NoError(t, r.Close())
		}
		p.Seed++
		require.NotEqual(t, inputs[0], generate(t, p, 1)[0])
	}
}

// TestPlantIsNormalised: over all inputs, the contribution of the rows has mean 0 and variance 1/2,
// or 1 if there are time steps.
func TestPlantIsNormalised(t *testing.T) {
	one := CriteoLike(5)
	one.Tables[6].Lookups = 3
	timed := preset(t, "taobao").Params
	timed.Rho = 0
	for _, c := range []struct {
		p        Params
		variance float64
	}{{one, 0.5}, {timed, 1}} {
		c.p.Rho, c.p.Day = 0, 0
		s, err := New(c.p, 1)
		require.NoError(t, err)
		sum, squares := 0.0, 0.0
		const n = 5000
		for _, in := range generate(t, c.p, n) {
			slot, signal := 0, 0.0
			for step := range c.p.steps() {
				for table, d := range c.p.Tables {
					for range d.Lookups {
						if step == 0 || !d.PerInput {
							signal += s.plant.row(table, in.Sparse[slot])
						}
						slot++
					}
				}
			}
			sum += signal / n
			squares += signal * signal / n
		}
		require.InDelta(t, 0, sum, 0.05)
		require.InEpsilon(t, c.variance, squares, 0.1)
	}
}

// TestDenseFeatures: the dense features distinguish contexts and carry half of the signal. Without
// the rows' weights, they alone determine the labels.
func TestDenseFeatures(t *testing.T) {
	p := CriteoLike(5)
	p.Contexts, p.Levels = 2, 1
	s, err := New(p, 1)
	require.NoError(t, err)
	norm := 0.0
	for _, w := range s.plant.dense {
		norm += w * w
	}
	require.InDelta(t, 0.5, norm, 1e-12)
	var b [2]dlrm.Batch
	for i, in := range generate(t, p, 4000) {
		quantile := detmath.NewStream(p.Seed, keyInput, uint64(i)).Float64()
		b[s.contexts.rank(quantile)].Append(in)
	}
	differ := 0
	for j := range 13 {
		mean := [2]float64{}
		for c := range b {
			for i := range b[c].Len() {
				mean[c] += float64(b[c].At(i).Dense[j]) / float64(b[c].Len())
			}
		}
		if math.Abs(mean[0]-mean[1]) > 0.3 {
			differ++
		}
	}
	require.Greater(t, differ, 7, "of 13 features")
}

// TestPinned detects changes of the generator that would change existing results.
func TestPinned(t *testing.T) {
	s := generate(t, CriteoLike(1), 1)[0]
	require.Equal(t, pinned, s.Sparse)
}

func TestLookupsPerTable(t *testing.T) {
	p := CriteoLike(1)
	p.Tables = p.Tables[:3]
	p.Tables[1].Lookups = 5
	cfg := model(p)
	for _, s := range generate(t, p, 20) {
		require.Len(t, s.Sparse, 7)
		require.NoError(t, cfg.Check(s))
	}
}

// TestDriftMovesTheHotRows: more drift reduces the share that the first day's hot rows serve on the
// fourth day.
func TestDriftMovesTheHotRows(t *testing.T) {
	p := CriteoLike(4)
	p.Day = 4000
	served := func(drift float64) float64 {
		p.Drift = drift
		s, err := New(p, 4*p.Day)
		require.NoError(t, err)
		r, err := profile.Run(t.Context(), s, profile.Options{Windows: 4})
		require.NoError(t, err)
		return r.Windows[3].First
	}
	still, slow, fast := served(0), served(0.1), served(1)
	require.Greater(t, still, slow+0.01)
	require.Greater(t, slow, fast+0.01)
}

// TestDriftMovesTheGivenShare: the given share of the rows moves each day, always within the table.
func TestDriftMovesTheGivenShare(t *testing.T) {
	p := CriteoLike(4)
	p.Day, p.Drift = 1, 0.3
	s, err := New(p, 1)
	require.NoError(t, err)
	for day := range int64(20) {
		moved := 0
		for rank := range uint32(2000) {
			today, tomorrow := drawing{Source: s, day: day}, drawing{Source: s, day: day + 1}
			require.Less(t, tomorrow.row(2, rank), uint32(20000))
			if today.row(2, rank) != tomorrow.row(2, rank) {
				moved++
			}
		}
		require.InDelta(t, 600, moved, 80)
	}
	p.Tables[2].Rows = 1
	require.Zero(t, (&drawing{Source: &Source{p: p}, day: 9}).row(2, 0))
}

func TestParamsValidate(t *testing.T) {
	for _, c := range []struct {
		spoil func(*Params)
		want  string
	}{
		{func(p *Params) { p.Dense = 0 }, "generator: 0 dense features, expected at least 1"},
		{func(p *Params) { p.Steps = -1 }, "generator: -1 time steps, expected 0 or more"},
		{func(p *Params) { p.Levels = 0 }, "generator: 0 levels, expected at least 1"},
		{func(p *Params) { p.Tables = nil }, "generator: no tables, expected at least 1"},
		{func(p *Params) { p.Tables[1].Rows = 0 }, `generator: table 1 ("C2") has 0 rows, expected 1 to 2^32`},
		{func(p *Params) { p.Tables[2].Lookups = 0 }, `generator: table 2 ("C3") has 0 lookups per input, expected at least 1`},
		{func(p *Params) { p.Tables[2].Zipf = -1 }, `generator: table 2 ("C3") has Zipf exponent -1, expected 0 to 20`},
		{func(p *Params) { p.Contexts = 0 }, "generator: 0 contexts with lists of 4 rows, expected at least 1 of each"},
		{func(p *Params) { p.ContextZipf = math.NaN() }, "generator: contexts have Zipf exponent NaN, expected 0 to 20"},
		{func(p *Params) { p.Rho = 1.5 }, "generator: rho is 1.5, expected 0 to 1"},
		{func(p *Params) { p.Signal = -1 }, "generator: signal is -1 and bias -1.75, expected finite numbers, the signal not negative"},
		{func(p *Params) { p.Bias = math.Inf(1) }, "generator: signal is 2 and bias +Inf, expected finite numbers, the signal not negative"},
		{func(p *Params) { p.Day = -1 }, "generator: a day of -1 inputs, expected 0 or more"},
		{func(p *Params) { p.Drift = 2 }, "generator: drift is 2, expected 0 to 1"},
	} {
		p := CriteoLike(1)
		c.spoil(&p)
		require.EqualError(t, p.Validate(), c.want)
		_, err := New(p, 1)
		require.EqualError(t, err, c.want)
	}
}

var pinned = []uint32{0, 1, 502, 414, 0, 12, 1698, 0, 0, 1547, 3371, 3, 1822, 10, 1113, 5569, 0, 248, 0, 1, 222, 0, 6, 8783, 0, 80}
