package fae

import (
	"github.com/hotline-rtl/hotline/host/dlrm/data"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/fae/shuffle"
)

// test is the set of inputs for the scheduler's loss.
type test struct {
	of     *System
	source data.Source // nil without inputs
	size   int         // of mini-batches
}

// newTest reads the test inputs and keeps them.
func (f *System) newTest(b *train.Batches) (test, error) {
	if f.opts.Test == 0 || f.Cluster.Valueless() {
		return test{}, nil
	}
	inputs, err := b.Behind(f.opts.Test)
	if err != nil || inputs.Len() == 0 {
		return test{}, err
	}
	return test{f, data.InMemory("inputs that FAE tests", b.Source().Shape(), inputs), b.Size()}, nil
}

// report evaluates the model, which must be idle, on the test inputs and reports the loss to the
// scheduler, if the scheduler needs it. Like the order, an observer ignores this work.
func (t test) report(s *shuffle.Scheduler) error {
	if t.source == nil || !s.Mixed() {
		return nil
	}
	return t.of.machine.Unobserved(func() error {
		e, err := train.Evaluate(t.of, t.source, t.size)
		if err == nil {
			s.Tested(e.LogLoss)
		}
		return err
	})
}
