package experiment

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/rec/data"
	"github.com/hotline-rtl/hotline/host/train"
)

// EvaluationAt is how well a model predicts what was held out, after that many
// mini-batches.
type EvaluationAt struct {
	MiniBatch int `json:"mini_batch"`
	train.Evaluation
}

// evaluate lets a system predict what was held out, unless it has just done so.
func (r *run) evaluate(t *trained) error {
	if n := len(t.evaluations); r.HeldOut == 0 || n > 0 && t.evaluations[n-1].MiniBatch == t.done {
		return nil
	}
	test, err := data.Range(r.Data, r.inputs, r.inputs+r.HeldOut)
	if err != nil {
		return err
	}
	e, err := train.Evaluate(t.system, test, r.Config.Training.Batch)
	if err != nil {
		return fmt.Errorf("held-out inputs: %w", err)
	}
	t.evaluations = append(t.evaluations, EvaluationAt{t.done, e})
	return nil
}

// setEvaluations sets the last evaluation, and all if there are to be several.
func (s *SystemReport) setEvaluations(all []EvaluationAt, several bool) {
	if len(all) == 0 {
		return
	}
	s.HeldOut = &all[len(all)-1].Evaluation
	if several {
		s.Evaluations = all
	}
}

// printEvaluations prints them in a line.
func printEvaluations(line printer, all []EvaluationAt) {
	lowest := all[0]
	for _, e := range all {
		if e.LogLoss < lowest.LogLoss {
			lowest = e
		}
	}
	line("  over time", "%s, log loss %.6f after %s, lowest %.6f after %s", plural(len(all), "evaluation"),
		all[0].LogLoss, plural(all[0].MiniBatch, "mini-batch"), lowest.LogLoss, plural(lowest.MiniBatch, "mini-batch"))
}
