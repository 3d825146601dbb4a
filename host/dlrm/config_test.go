package dlrm

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestValidateNamesWhatIsWrong(t *testing.T) {
	require.NoError(t, testConfig().Validate())
	for _, c := range []struct {
		spoil func(*Config)
		want  string
	}{
		{func(c *Config) { c.Dense = 0; c.Bottom[0] = 1 }, "model: 0 dense features, expected at least 1"},
		{func(c *Config) { c.Tables = nil }, "model: no embedding tables, expected at least 1"},
		{func(c *Config) { c.Tables[1].Rows = 0 }, `model: table 1 ("b") has 0 rows, expected 1 to 2^32`},
		{func(c *Config) { c.Tables[1].Rows = 1<<32 + 1 }, `model: table 1 ("b") has 4294967297 rows, expected 1 to 2^32`},
		{func(c *Config) { c.Tables[2].Lookups = 0 }, `model: table 2 ("c") has 0 lookups per input, expected at least 1`},
		{func(c *Config) { c.Dim = 8 }, "model: bottom MLP ends with width 4, expected the embedding dimension 8"},
		{func(c *Config) { c.Dense = 13 }, "model: bottom MLP starts with width 3, expected the 13 dense features"},
		{func(c *Config) { c.Bottom[1] = 0 }, "model: bottom MLP has width 0 at position 1, expected at least 1"},
		{func(c *Config) { c.Bottom = []int{3} }, "model: bottom MLP lists 1 widths, expected at least 2"},
		{func(c *Config) { c.Top = nil }, "model: top MLP lists 0 widths, expected at least 1"},
		{func(c *Config) { c.Top = []int{7, 2} }, "model: top MLP ends with width 2, expected 1"},
		{func(c *Config) { c.Steps = 2 }, "model: 2 time steps, expected at most 1 for a DLRM"},
		{func(c *Config) { c.Steps = -1 }, "model: -1 time steps, expected at most 1 for a DLRM"},
		{func(c *Config) { c.Head = []int{1} }, "model: attention or head MLP, expected none for a DLRM"},
		{func(c *Config) { c.Kind = 2 }, "model: kind 2, expected 0 to 1"},
		{func(c *Config) { c.Loss = -1 }, "model: loss -1, expected 0 to 1"},
		{func(c *Config) { c.Optimiser.Rule = 5 }, "model: rule of the optimiser 5, expected 0 to 4"},
		{func(c *Config) { c.Optimiser = Momentum; c.Optimiser.Momentum = 1 }, "model: momentum is 1, expected 0 to below 1"},
		{func(c *Config) { c.Optimiser = Adam; c.Optimiser.Beta2 = math.NaN() }, "model: beta2 is NaN, expected 0 to below 1"},
		{func(c *Config) { c.Optimiser = Adagrad; c.Optimiser.Eps = 0 }, "model: eps is 0, expected a positive number"},
		{func(c *Config) { c.Optimiser = Adam; c.Optimiser.Momentum = 0.5 }, "model: momentum is 0.5, expected none with adam"},
		{func(c *Config) { c.Optimiser.WeightDecay = -1 }, "model: weight decay is -1, expected a number of at least 0"},
		{func(c *Config) { c.Optimiser.Schedule.WarmupSteps = -1 }, "model: schedule is {WarmupSteps:-1 DecayStart:0 DecaySteps:0}, expected no negative numbers"},
		{func(c *Config) { c.Optimiser.Schedule = Schedule{WarmupSteps: 5, DecayStart: 4, DecaySteps: 1} },
			"model: lr_decay_start_step is 4, expected at least the 5 of lr_num_warmup_steps"},
		{func(c *Config) { c.LearningRate = 0 }, "model: learning rate is 0, expected a positive number"},
		{func(c *Config) { c.LearningRate = float32(math.NaN()) }, "model: learning rate is NaN, expected a positive number"},
		{func(c *Config) { c.LearningRate = float32(math.Inf(1)) }, "model: learning rate is +Inf, expected a positive number"},
	} {
		cfg := testConfig()
		c.spoil(&cfg)
		require.ErrorContains(t, cfg.Validate(), c.want)
		_, err := NewNet(cfg, 1)
		require.Equal(t, cfg.Validate(), err)
	}
	for _, c := range []struct {
		spoil func(*Config)
		want  string
	}{
		{func(c *Config) { c.Steps, c.Attention = 1, []int{1, 0} }, "model: 1 time steps, expected at least 2 for a TBSM\n" +
			"model: attention MLP has width 0 at position 1, expected at least 1"},
		{func(c *Config) { c.Attention = nil }, "model: attention MLP lists 0 widths, expected at least 1"},
		{func(c *Config) { c.Head = nil }, "model: head MLP lists 0 widths, expected at least 1"},
		{func(c *Config) { c.Head = []int{0, 1} }, "model: head MLP has width 0 at position 0, expected at least 1"},
		{func(c *Config) { c.Attention = []int{5, 4} }, "model: attention MLP ends with width 4, expected the time steps of the history 3"},
		{func(c *Config) { c.Head = []int{2} }, "model: head MLP ends with width 2, expected 1"},
		{func(c *Config) { c.Top = nil }, "model: top MLP lists 0 widths, expected at least 1"},
	} {
		cfg := testTBSM()
		require.NoError(t, cfg.Validate())
		c.spoil(&cfg)
		require.EqualError(t, cfg.Validate(), c.want)
	}
	cfg := testConfig()
	cfg.Dim, cfg.LearningRate = 0, -1
	require.Len(t, strings.Split(cfg.Validate().Error(), "\n"), 3, "all errors are reported")
}

func TestCheckSample(t *testing.T) {
	cfg := testConfig()
	for _, c := range []struct {
		spoil func(*Sample)
		want  string
	}{
		{func(s *Sample) { s.Dense = s.Dense[1:] }, "sample has 2 dense features, expected 3"},
		{func(s *Sample) { s.Dense[1] = float32(math.Inf(-1)) }, "dense feature 1 is -Inf, expected a finite number"},
		{func(s *Sample) { s.Sparse = s.Sparse[1:] }, "sample has 5 row indices, expected 6"},
		{func(s *Sample) { s.Sparse[3] = 50 }, `row index 50 in table 1 ("b"), expected below its 50 rows`},
		{func(s *Sample) { s.Label = -1 }, "label is -1, expected 0 to 1"},
		{func(s *Sample) { s.Label = float32(math.NaN()) }, "label is NaN, expected 0 to 1"},
	} {
		s := randomBatch(cfg, rand.New(rand.NewPCG(1, 1)), 1).At(0)
		require.NoError(t, cfg.Check(s))
		c.spoil(&s)
		require.EqualError(t, cfg.Check(s), c.want)
	}
}

// TestActivations: the count covers the inputs and outputs of the layers and the pooled vectors.
// Towers count in every time step.
func TestActivations(t *testing.T) {
	dlrm := Config{Dense: 3, Dim: 8, Bottom: []int{3, 8}, Top: []int{6, 1}, Tables: make([]Table, 4)}
	require.Equal(t, 4*8+(3+8)+(18+6+1), dlrm.Activations())
	tbsm, _ := Preset("rm1")
	require.Equal(t, 21*(3*16+(1+16)+(22+15+15))+(15+15)+(20+15+15+20)+(30+60+1), tbsm.Activations())
}
