package experiment

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/hotline-rtl/hotline/host/device/fault"
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/audit"
	"github.com/hotline-rtl/hotline/host/train/consistency"
	"github.com/hotline-rtl/hotline/host/train/registry"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// run is a running job.
type run struct {
	Job
	ctx     context.Context
	stop    func() // cancels ctx
	model   dlrm.Config
	sets    sets
	from    *train.State
	trained []*trained
	show    sync.Mutex // serializes calls of Progress

	variants timing.Variants // variants of the machine
}

// trained is a system with its results so far.
type trained struct {
	registry.Description
	system     train.System
	server     *server.Server
	card       server.Card         // nil if the slot is empty
	faults     *fault.Injection    // nil if no faults are injected
	noRoom     *server.OutOfMemory // the system did not fit and was not trained
	failure    error               // any other reason for which there is no result
	result     train.Result
	series     series
	done       int        // mini-batches on which the model was trained, including those before the run
	inputs     int64      // of these mini-batches
	latest     dlrm.Batch // the last of these mini-batches
	parameters int64
	difference error
	watch      *consistency.Watch // nil without checks
	ledger     *audit.Ledger      // nil without an audit
	times      map[timing.Profile]times

	evaluations []report.EvaluationAt
	evaluated   int64     // inputs at the latest evaluation
	losses      []float64 // held-out losses after each epoch, including those before the run
	earlyStop   *report.EarlyStop
}

func (r *run) all() (*report.Report, error) {
	if err := errors.Join(r.trainAll(), r.hopeless()); err != nil {
		return nil, err
	}
	r.compare()
	if err := r.check(); err != nil {
		return nil, err
	}
	for _, t := range r.fitting() {
		if err := r.fail(t, r.evaluate(t)); err != nil {
			return nil, err
		}
	}
	if err := r.saveLast(); err != nil {
		return nil, err
	}
	return r.report()
}

// fitting returns the systems that were trained.
func (r *run) fitting() []*trained {
	return slices.DeleteFunc(slices.Clone(r.trained), func(t *trained) bool { return !t.fits() })
}

// compare compares the parameters of all systems that guarantee sequential training with the
// parameters of the first of them.
func (r *run) compare() {
	var first *trained
	for _, t := range r.fitting() {
		t.parameters = t.result.Parameters
		switch {
		case t.Guarantee != registry.Sequential || r.Valueless:
		case first == nil:
			first = t
		default:
			t.parameters, t.difference = train.Compare(stopping{first.system, r.ctx}, t.system)
		}
	}
}

// stopping is a system whose Row fails after the context has ended.
type stopping struct {
	train.System
	ctx context.Context
}

// Row implements train.System.
func (s stopping) Row(table int, index uint32, dst []float32) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	return s.System.Row(table, index, dst)
}
