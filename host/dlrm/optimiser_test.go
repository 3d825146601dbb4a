package dlrm

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// golden is the output of testdata/optimisers.py.
type golden struct {
	Start     []float32
	Gradients [][]float32
	Cases     []goldenCase
}

type goldenCase struct {
	Optimiser   string
	Momentum    float64 `json:"optimiser_momentum"`
	Beta1       float64 `json:"optimiser_beta1"`
	Beta2       float64 `json:"optimiser_beta2"`
	Eps         float64 `json:"optimiser_eps"`
	WeightDecay float64 `json:"weight_decay"`
	Rate        float32 `json:"learning_rate"`
	WarmupSteps int     `json:"lr_num_warmup_steps"`
	DecayStart  int     `json:"lr_decay_start_step"`
	DecaySteps  int     `json:"lr_num_decay_steps"`
	Sparse      bool
	Values      [][]float32 // after the middle and after all steps
}

func (c goldenCase) config(t *testing.T) Config {
	o, ok := OptimiserNamed(c.Optimiser)
	require.True(t, ok, c.Optimiser)
	o.Momentum, o.Beta1, o.Beta2, o.Eps, o.WeightDecay = c.Momentum, c.Beta1, c.Beta2, c.Eps, c.WeightDecay
	o.Schedule = Schedule{c.WarmupSteps, c.DecayStart, c.DecaySteps}
	cfg := testConfig()
	cfg.Optimiser, cfg.LearningRate = o, c.Rate
	require.NoError(t, cfg.Validate())
	return cfg
}

func readGolden(t *testing.T, text []byte) (g golden) {
	require.NoError(t, json.Unmarshal(text, &g))
	require.Len(t, g.Cases, 57)
	return g
}

// worst returns the largest difference from the values of a case. at returns the update of a
// mini-batch.
func (g golden) worst(t *testing.T, c goldenCase, at func(cfg Config, m int) Update) float64 {
	cfg := c.config(t)
	values, step, worst := append([]float32{}, g.Start...), make([]float32, len(g.Start)), 0.0
	state := make([]float32, cfg.Optimiser.StateLen(len(values)))
	if c.Sparse {
		state = make([]float32, cfg.Optimiser.RowStateLen(len(values)))
	}
	for m := range g.Gradients {
		copy(step, g.Gradients[m])
		if c.Sparse {
			at(cfg, m).Row(state, step)
		} else {
			at(cfg, m).Dense(values, state, step)
		}
		UpdateRow(values, step, -cfg.LearningRate)
		if half := len(g.Gradients) / len(c.Values); (m+1)%half == 0 {
			for i, want := range c.Values[m/half] {
				worst = max(worst, math.Abs(float64(values[i]-want))/max(1, math.Abs(float64(want))))
			}
		}
	}
	return worst
}

// pytorch is the largest difference from PyTorch, relative to values above 1.
const pytorch = 1e-6

// TestOptimisersEqualPyTorch compares dense parameters and rows with PyTorch 2.15, with each
// optimiser, with and without schedule and weight decay.
func TestOptimisersEqualPyTorch(t *testing.T) {
	text, err := os.ReadFile("testdata/optimisers.json")
	require.NoError(t, err)
	g := readGolden(t, text)
	all := 0.0
	for _, c := range g.Cases {
		worst := g.worst(t, c, Config.Update)
		require.LessOrEqual(t, worst, pytorch, "%+v", c)
		all = max(all, worst)
	}
	t.Logf("%d cases differ by up to %.1e", len(g.Cases), all)
}

// TestPyTorchOptimisers repeats testdata/optimisers.json with PyTorch. With HOTLINE_PYTORCH=write it
// replaces the file.
func TestPyTorchOptimisers(t *testing.T) {
	cache, err := os.UserCacheDir()
	require.NoError(t, err)
	python := filepath.Join(cache, "hotline", "pytorch", "bin", "python")
	if _, err := os.Stat(python); err != nil && os.Getenv("HOTLINE_PYTORCH") == "" {
		t.Skipf("PyTorch is not there: %v; scripts/pytorch installs it", err)
	}
	text, err := exec.Command(python, "testdata/optimisers.py").Output()
	require.NoError(t, err)
	if os.Getenv("HOTLINE_PYTORCH") == "write" {
		require.NoError(t, os.WriteFile("testdata/optimisers.json", text, 0o644))
	}
	g := readGolden(t, text)
	for _, c := range g.Cases {
		require.LessOrEqual(t, g.worst(t, c, Config.Update), pytorch, "%+v", c)
	}
}

// TestWrongRulesDiffer: seeded bugs differ from PyTorch by more than the limit, each in at least
// the given number of cases.
func TestWrongRulesDiffer(t *testing.T) {
	text, err := os.ReadFile("testdata/optimisers.json")
	require.NoError(t, err)
	g := readGolden(t, text)
	for name, c := range map[string]struct {
		least int
		bug   func(cfg Config, m int) Update
	}{
		"bias correction of the next mini-batch": {12, func(cfg Config, m int) Update { return cfg.Update(m + 1) }},
		"no bias correction": {12, func(cfg Config, m int) Update {
			u := cfg.Update(m)
			if cfg.Optimiser.Rule == RuleAdam {
				u.scale = float32(cfg.Optimiser.Schedule.share(float64(cfg.LearningRate), m))
			}
			return u
		}},
		"eps of rows for dense parameters": {4, func(cfg Config, m int) Update {
			u := cfg.Update(m)
			u.dense = u.rows
			return u
		}},
		"no schedule": {24, func(cfg Config, m int) Update {
			cfg.Optimiser.Schedule = Schedule{}
			return cfg.Update(m)
		}},
		"schedule counted from 0": {24, func(cfg Config, m int) Update {
			u := cfg.Update(m)
			u.scale *= float32(cfg.Optimiser.Schedule.share(float64(cfg.LearningRate), max(0, m-1)) / cfg.Optimiser.Schedule.share(float64(cfg.LearningRate), m))
			return u
		}},
		"no weight decay": {18, func(cfg Config, m int) Update {
			cfg.Optimiser.WeightDecay = 0
			return cfg.Update(m)
		}},
		"row-wise Adagrad without division": {2, func(cfg Config, m int) Update {
			if cfg.Optimiser.Rule == RuleRowwiseAdagrad {
				cfg.Optimiser.Rule = RuleSGD
			}
			return cfg.Update(m)
		}},
	} {
		found := 0
		for _, k := range g.Cases {
			if g.worst(t, k, c.bug) > pytorch {
				found++
			}
		}
		require.GreaterOrEqual(t, found, c.least, name)
	}
}

// TestForgottenState: a state that returns to zero in the middle differs from PyTorch, with each
// optimiser that has one.
func TestForgottenState(t *testing.T) {
	for _, o := range Optimisers() {
		if o.RowStateLen(3) == 0 {
			continue
		}
		cfg := testConfig()
		cfg.Optimiser = o
		train := func(forget bool) []float32 {
			row, state := []float32{1, 2, 3}, make([]float32, o.RowStateLen(3))
			for m := range 4 {
				step := []float32{0.5, -0.25, float32(m)}
				cfg.Update(m).Row(state, step)
				UpdateRow(row, step, -0.1)
				if forget && m == 1 {
					clear(state)
				}
			}
			return row
		}
		require.Equal(t, train(false), train(false))
		require.NotEqual(t, train(false), train(true), o.Rule)
	}
}

// TestEachOperationIsRounded repeats each rule with explicit roundings.
func TestEachOperationIsRounded(t *testing.T) {
	update := func(o Optimiser, m int) Update {
		cfg := testConfig()
		cfg.Optimiser = o
		return cfg.Update(m)
	}
	mul := func(a, b float32) float32 { return float32(a * b) }

	state, grad := []float32{0.3}, []float32{0.7}
	update(Adagrad, 5).Row(state, grad)
	sum := 0.3 + mul(0.7, 0.7)
	require.Equal(t, sum, state[0])
	require.Equal(t, 0.7/(float32(math.Sqrt(float64(sum)))+1e-10), grad[0])

	state, grad = []float32{0.3}, []float32{0.7}
	update(Momentum, 5).Row(state, grad)
	require.Equal(t, mul(0.9, 0.3)+0.7, grad[0])
	require.Equal(t, grad, state)

	state, grad = []float32{0.3}, []float32{0.7, -0.1, 0.2}
	update(RowwiseAdagrad, 5).Row(state, grad)
	mean := (mul(0.7, 0.7) + mul(0.1, 0.1) + mul(0.2, 0.2)) / 3
	require.Equal(t, 0.3+mean, state[0])
	require.Equal(t, 0.2/(float32(math.Sqrt(float64(0.3+mean)))+1e-10), grad[2])

	state, grad = []float32{0.3, 0.04}, []float32{0.7}
	update(Adam, 2).Row(state, grad)
	first, second := 0.3+mul(0.1, float32(0.7)-0.3), mul(0.999, 0.04)+mul(0.001, mul(0.7, 0.7))
	require.Equal(t, []float32{first, second}, state)
	scale := float32(math.Sqrt(1-0.999*0.999*0.999) / (1 - 0.9*0.9*0.9))
	require.InEpsilon(t, mul(scale, first/(float32(math.Sqrt(float64(second)))+1e-8)), grad[0], 1e-6)
}

func TestSGDKeepsNothing(t *testing.T) {
	require.Zero(t, SGD.StateLen(7))
	grad := []float32{1, -2}
	testConfig().Update(3).Row(nil, grad)
	require.Equal(t, []float32{1, -2}, grad)
}

func TestOptimiserNames(t *testing.T) {
	for _, o := range Optimisers() {
		got, ok := OptimiserNamed(o.Rule.String())
		require.True(t, ok)
		require.Equal(t, o, got)
	}
	_, ok := OptimiserNamed("adamw")
	require.False(t, ok)
}

// TestStateIsCompared: networks with the same parameters but different optimiser state are not
// equal, because the next step would differ.
func TestStateIsCompared(t *testing.T) {
	cfg := testConfig()
	cfg.Optimiser = Adagrad
	a, err := NewNet(cfg, 1)
	require.NoError(t, err)
	b := a.Clone()
	require.True(t, a.Equal(b))
	b.state[3][2] = 1
	require.Zero(t, a.state[3][2], "a clone is independent")
	require.EqualError(t, a.Diff(b), "optimiser state of bottom.1.bias[2] is 0 (0x00000000), in the other network 1 (0x3f800000)")
	require.NotEqual(t, a.Hash(), b.Hash())
	require.Equal(t, a.Len(), b.Len())
	cfg.Optimiser = SGD
	plain, err := NewNet(cfg, 1)
	require.NoError(t, err)
	require.Equal(t, plain.Len(), a.Len(), "state is no parameter")
	require.Error(t, a.Diff(plain))
}
