package checkpoint

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/host/dlrm"
)

// fingerprint lists the properties that must be equal for a training to resume.
type fingerprint struct {
	Kind         string   `json:"kind"`
	Steps        int      `json:"steps"`
	Dense        int      `json:"dense"`
	Tables       []string `json:"tables"` // names
	Rows         []int    `json:"rows"`
	Lookups      []int    `json:"lookups"`
	Dim          int      `json:"dim"`
	Bottom       []int    `json:"bottom"`
	Top          []int    `json:"top"`
	Attention    []int    `json:"attention,omitempty"`
	Head         []int    `json:"head,omitempty"`
	Loss         string   `json:"loss"`
	Optimiser    string   `json:"optimiser"`
	Momentum     float64  `json:"optimiser_momentum,omitempty"`
	Beta1        float64  `json:"optimiser_beta1,omitempty"`
	Beta2        float64  `json:"optimiser_beta2,omitempty"`
	Eps          float64  `json:"optimiser_eps,omitempty"`
	WeightDecay  float64  `json:"weight_decay,omitempty"`
	LearningRate float32  `json:"learning_rate"`
	WarmupSteps  int      `json:"lr_num_warmup_steps,omitempty"`
	DecayStart   int      `json:"lr_decay_start_step,omitempty"`
	DecaySteps   int      `json:"lr_num_decay_steps,omitempty"`
	Seed         uint64   `json:"seed"`
	Batch        int      `json:"batch,omitempty"`
}

// Names of choices in files.
var (
	kinds  = [...]string{dlrm.DLRM: "dlrm", dlrm.TBSM: "tbsm"}
	losses = [...]string{dlrm.BCE: "bce", dlrm.MSE: "mse"}
)

// fingerprintOf returns the fingerprint of a training in JSON; batch is 0 if it is irrelevant.
func fingerprintOf(m dlrm.Config, seed uint64, batch int) (string, error) {
	o := m.Optimiser
	f := fingerprint{
		Kind: kinds[m.Kind], Steps: max(1, m.Steps), Dense: m.Dense, Dim: m.Dim, Bottom: m.Bottom, Top: m.Top, Attention: m.Attention, Head: m.Head,
		Loss: losses[m.Loss], Optimiser: o.Rule.String(), Momentum: o.Momentum, Beta1: o.Beta1, Beta2: o.Beta2, Eps: o.Eps, WeightDecay: o.WeightDecay,
		LearningRate: m.LearningRate, WarmupSteps: o.Schedule.WarmupSteps, DecayStart: o.Schedule.DecayStart, DecaySteps: o.Schedule.DecaySteps, Seed: seed, Batch: batch,
	}
	for _, t := range m.Tables {
		f.Tables, f.Rows, f.Lookups = append(f.Tables, t.Name), append(f.Rows, t.Rows), append(f.Lookups, t.Lookups)
	}
	text, err := json.Marshal(f)
	return string(text), err
}

// same returns an error for the first key, in the order of names, in which two fingerprints differ.
func same(got, want string) error {
	var have, expected map[string]json.RawMessage
	if err := json.Unmarshal([]byte(got), &have); err != nil {
		return fmt.Errorf("%s: %w", trainingKey, err)
	}
	if err := json.Unmarshal([]byte(want), &expected); err != nil {
		return err
	}
	for key := range have {
		if expected[key] == nil {
			expected[key] = nil
		}
	}
	for _, key := range slices.Sorted(maps.Keys(expected)) {
		if a, b := string(have[key]), string(expected[key]); a != b {
			return fmt.Errorf("%s is %s, in this run %s: a checkpoint can only be resumed with the same model, seed, optimiser and size of mini-batch", key, or(a, "not there"), or(b, "not there"))
		}
	}
	return nil
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
