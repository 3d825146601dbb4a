package experiment

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/consistency"
)

// watch returns the consistency checker of a system, which is inactive unless the job requests it.
func (r *run) watch(t *trained) train.Watch {
	switch {
	case !r.Watch:
		return train.Unwatched{}
	case t.Reference != nil:
		t.watch = consistency.Against(r.model, t.Reference(t.system, r.from))
	default:
		t.watch = consistency.New(r.from)
	}
	return t.watch
}

// check finishes the checkers of all checked systems, each against its reference.
func (r *run) check() error {
	for _, t := range r.fitting() {
		if t.watch == nil {
			continue
		}
		if t.earlyStop != nil {
			t.watch.Stop()
		}
		if _, err := t.watch.Finish(stopping{t.system, r.ctx}); err != nil {
			return fmt.Errorf("%s: check: %w", t.Name, err)
		}
	}
	return nil
}
