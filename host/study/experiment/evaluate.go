package experiment

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train"
)

// evaluate evaluates a system on the held-out inputs, unless it was already evaluated after the
// same inputs.
func (r *run) evaluate(t *trained) error {
	if r.sets.test == nil || len(t.evaluations) > 0 && t.evaluated == t.inputs {
		return nil
	}
	e, err := train.Evaluate(t.system, r.sets.test, r.Config.Training.Batch)
	if dlrm.Diverged(err) {
		return &train.Diverged{MiniBatch: t.done - 1, Err: fmt.Errorf("held-out inputs: %w", err)}
	}
	if err != nil {
		return fmt.Errorf("held-out inputs: %w", err)
	}
	t.evaluated = t.inputs
	t.evaluations = append(t.evaluations, report.EvaluationAt{MiniBatch: t.done, Epoch: r.ended(t), Evaluation: e})
	return nil
}

// ended returns the epoch, from 1, whose last input is in the latest mini-batch. It returns 0 if
// there is none, or a single epoch.
func (r *run) ended(t *trained) int {
	if r.Config.Training.Epochs == 1 {
		return 0
	}
	epoch := t.inputs / r.sets.epoch
	if n := len(t.series); epoch == (t.inputs-int64(t.series[n-1].Inputs))/r.sets.epoch {
		return 0
	}
	return int(epoch)
}

// endEpoch evaluates a system if an epoch has ended. It returns train.ErrEnough if too many epochs
// have ended without a lower loss.
func (r *run) endEpoch(t *trained) error {
	if r.sets.test == nil || r.ended(t) == 0 {
		return nil
	}
	if err := r.evaluate(t); err != nil {
		return err
	}
	e := t.evaluations[len(t.evaluations)-1]
	t.losses = append(t.losses, e.LogLoss)
	since, patience := sinceLowest(t.losses), r.Config.Training.Patience
	if patience == 0 || since < patience || e.Epoch == r.Config.Training.Epochs {
		return nil
	}
	t.earlyStop = &report.EarlyStop{Epoch: e.Epoch, Lowest: e.Epoch - since}
	return train.ErrEnough
}

// sinceLowest returns the number of losses after the first lowest loss.
func sinceLowest(losses []float64) int {
	lowest := 0
	for i, l := range losses {
		if l < losses[lowest] {
			lowest = i
		}
	}
	return len(losses) - 1 - lowest
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
