package train

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// System is a way to train a model on a machine.
type System interface {
	// Name as in reports.
	Name() string
	// Model is what it trains.
	Model() dlrm.Config
	// Train trains on all mini-batches in order, from the first on, calls done after
	// each, when all parameters are at rest, and returns. An error of done ends it.
	// w is told what it does with rows. It is called once.
	Train(b *Batches, w Watch, done func(Step) error) error
	// Net is the dense part of the model.
	Net() *dlrm.Net
	// Row reads an embedding row (Dim values) from where it lives.
	Row(table int, index uint32, dst []float32) error
	// RowState is what the optimiser keeps of a row, which must not be changed; nil
	// if that is nothing, or zeros.
	RowState(table int, index uint32) []float32
	// Touched lists the rows of a table that may have other values than at first,
	// in order.
	Touched(table int) []Span
	// Counts are the events that it counts, so far.
	Counts() []Count
	// Order is the order of its work, which makes its time.
	Order() timing.System
}

// Step is the outcome of one mini-batch.
type Step struct {
	MiniBatch     int         // number, from 0
	Loss          float32     // mean over its inputs; 0 if nobody computes
	Labels        []float32   // of its inputs
	Popular       *int        // inputs that were popular; nil if the system does not tell them apart
	Hits          *int        // lookups of rows that the GPUs held before any was fetched for the mini-batch; nil if the system has no cache of rows
	Probabilities []float32   // of a click, per input in order, before training on it; valid during the call; nil if nobody computes
	Work          timing.Work // what it asked of the machine
}

// Count is a number of events.
type Count struct {
	Label string `json:"label"`
	N     int64  `json:"n"`
}

// Result is the outcome of a training.
type Result struct {
	System      string
	MiniBatches int
	Inputs      int
	Parameters  int64    // dense and embedding
	Loss        float64  // mean over all inputs; 0 if nobody computes
	AUC         *float64 // progressive; nil if all labels are the same, or if nobody computes
	Counts      []Count
	Works       []timing.Work // per mini-batch
}

// Count is the count with a label, 0 if there is none.
func (r Result) Count(label string) int64 {
	for _, c := range r.Counts {
		if c.Label == label {
			return c.N
		}
	}
	return 0
}

// Run trains a system, which w watches, and sums up. progress, unless nil, is called after each
// mini-batch; its error ends the run. The error names system and mini-batch.
func Run(s System, b *Batches, w Watch, progress func(Step) error) (Result, error) {
	r := Result{System: s.Name(), Parameters: Parameters(s)}
	var scores, labels []float32
	err := s.Train(b, w, func(step Step) error {
		if err := checkLoss(step.MiniBatch, float64(step.Loss)); err != nil {
			return err
		}
		r.MiniBatches++
		r.Inputs += len(step.Labels)
		r.Loss += float64(step.Loss) * float64(len(step.Labels))
		r.Works = append(r.Works, step.Work)
		if step.Probabilities != nil {
			scores = append(scores, step.Probabilities...)
			labels = append(labels, step.Labels...)
		}
		if progress != nil {
			return progress(step)
		}
		return nil
	})
	if err != nil {
		m := b.First() + r.MiniBatches
		return r, fmt.Errorf("%s, mini-batch %d: %w", s.Name(), m, diverged(m, err))
	}
	r.Loss /= float64(r.Inputs)
	r.Counts = s.Counts()
	if len(scores) == 0 {
		return r, nil
	}
	if auc, err := dlrm.AUC(scores, labels); err == nil {
		r.AUC = &auc
	} else if !errors.Is(err, dlrm.ErrOneClass) {
		return r, fmt.Errorf("%s: %w", s.Name(), err)
	}
	return r, nil
}

// Parameters is the number of parameters of a system's model.
func Parameters(s System) int64 {
	n, model := int64(s.Net().Len()), s.Model()
	if u, ok := s.(Unsaved); ok {
		return n + u.Embedding()
	}
	for _, t := range model.Tables {
		n += int64(t.Rows) * int64(model.Dim)
	}
	return n
}
