package experiment

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train"
)

// evaluate evaluates a system on the held-out inputs, unless it was already evaluated at this
// mini-batch.
func (r *run) evaluate(t *trained) error {
	if n := len(t.evaluations); r.HeldOut == 0 || n > 0 && t.evaluations[n-1].MiniBatch == t.done {
		return nil
	}
	test, err := data.Range(r.Data, r.inputs, r.inputs+r.HeldOut)
	if err != nil {
		return err
	}
	e, err := train.Evaluate(t.system, test, r.Config.Training.Batch)
	if dlrm.Diverged(err) {
		return &train.Diverged{MiniBatch: t.done - 1, Err: fmt.Errorf("held-out inputs: %w", err)}
	}
	if err != nil {
		return fmt.Errorf("held-out inputs: %w", err)
	}
	t.evaluations = append(t.evaluations, report.EvaluationAt{MiniBatch: t.done, Evaluation: e})
	return nil
}

// setEvaluations sets the final evaluation and, if several were requested, all evaluations.
func setEvaluations(s *report.System, all []report.EvaluationAt, several bool) {
	if len(all) == 0 {
		return
	}
	s.HeldOut = &all[len(all)-1].Evaluation
	if several {
		s.Evaluations = all
	}
}
