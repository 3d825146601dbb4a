package experiment

import (
	"context"
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train"
)

// saving is an error of Job.Save. It ends the run and is not attributed to a system.
type saving struct{ error }

func (s saving) Unwrap() error { return s.error }

// fits reports whether a system was trained.
func (t *trained) fits() bool { return t.noRoom == nil && t.failure == nil }

// fail makes an error the result of a system, so that the other systems keep their results. It
// returns errors that end the whole run: cancellation, and models that cannot be saved.
func (r *run) fail(t *trained, err error) error {
	s := saving{}
	if err == nil || errors.As(err, &t.noRoom) {
		return nil
	}
	if context.Cause(r.ctx) != nil || errors.As(err, &s) {
		return t.behindFaults(err)
	}
	t.failure = t.behindFaults(err)
	t.result, t.series = train.Result{Parameters: t.result.Parameters}, nil
	return nil
}

// hopeless returns an error if no system was trained and that is not a valid result. The error is
// the first failure that is not an unmet requirement, or all unmet requirements.
func (r *run) hopeless() error {
	var unmet []error
	var other error
	for _, t := range r.trained {
		need, diverged := (*train.Unmet)(nil), (*train.Diverged)(nil)
		switch {
		case t.failure == nil || errors.As(t.failure, &diverged):
			return nil
		case errors.As(t.failure, &need):
			unmet = append(unmet, t.failure)
		case other == nil:
			other = t.failure
		}
	}
	if other != nil {
		return other
	}
	return errors.Join(unmet...)
}

// outcome returns the failure of a system for the report.
func (t *trained) outcome() *report.Failure {
	diverged, unmet := (*train.Diverged)(nil), (*train.Unmet)(nil)
	switch {
	case t.failure == nil:
		return nil
	case errors.As(t.failure, &diverged):
		return &report.Failure{Kind: report.Diverged, Text: fmt.Sprintf("in mini-batch %d: %v; a smaller learning_rate may help", diverged.MiniBatch, diverged.Err)}
	case errors.As(t.failure, &unmet):
		return &report.Failure{Kind: report.NotTrained, Text: unmet.Error()}
	}
	return &report.Failure{Kind: report.Failed, Text: t.failure.Error()}
}
