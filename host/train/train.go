package train

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/rec"
)

// System is a way to train a model on a machine.
type System interface {
	// Name as in reports.
	Name() string
	// Model is what it trains.
	Model() rec.Config
	// Train trains on all mini-batches in order, calls done after each, and
	// returns when all parameters are at rest. It is called once.
	Train(b Batches, done func(Step)) error
	// Net is the dense part of the model.
	Net() *rec.Net
	// Row reads an embedding row (Dim values) from where it lives.
	Row(table int, index uint32, dst []float32) error
	// Report says what the training took so far.
	Report() Report
}

// Step is the outcome of one mini-batch.
type Step struct {
	MiniBatch     int       // number, from 0
	Loss          float32   // mean over its inputs
	Popular       *int      // inputs that were popular; nil if the system does not tell them apart
	Probabilities []float32 // of a click, per input in order, before training on it; valid during the call
	Time          node.Time // when the step ended
}

// Report says what a training took on the machine.
type Report struct {
	Time      node.Time // simulated, in all
	Breakdown []Part    // what the time went to; the parts add up to Time
	Busy      []Usage   // what kept each resource busy
	Counts    []Count   // events that the system counts
}

// Part is a part of the time.
type Part struct {
	Label string    `json:"label"`
	Time  node.Time `json:"ps"`
}

// Usage is the time that one kind of work has taken of a resource.
type Usage struct {
	Resource string    `json:"resource"`
	Label    string    `json:"label"`
	Time     node.Time `json:"ps"`
	Count    int       `json:"count"` // pieces of work
}

// Count is a number of events.
type Count struct {
	Label string `json:"label"`
	N     int64  `json:"n"`
}

// Result is the outcome of a training.
type Result struct {
	System      string    `json:"system"`
	MiniBatches int       `json:"mini_batches"`
	Inputs      int       `json:"inputs"`
	Parameters  int64     `json:"parameters"`     // dense and embedding
	Loss        float64   `json:"loss"`           // mean cross-entropy over all inputs
	AUC         *float64  `json:"auc"`            // progressive; nil if all labels are the same
	Time        node.Time `json:"ps"`             // simulated, in all
	PerBatch    node.Time `json:"ps_per_batch"`   // mean over mini-batches
	Breakdown   []Part    `json:"breakdown"`      // adds up to Time
	Busy        []Usage   `json:"busy,omitempty"` // per resource
	Counts      []Count   `json:"counts,omitempty"`
}

// Part is the time of the breakdown's part with a label, 0 if there is none.
func (r Result) Part(label string) node.Time {
	for _, p := range r.Breakdown {
		if p.Label == label {
			return p.Time
		}
	}
	return 0
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

// Run trains a system and sums up. progress, unless nil, is called after each
// mini-batch. The error names system and mini-batch.
func Run(s System, b Batches, progress func(Step)) (Result, error) {
	r := Result{System: s.Name(), Inputs: b.Inputs(), Parameters: Parameters(s)}
	scores, labels := make([]float32, 0, b.Inputs()), make([]float32, 0, b.Inputs())
	err := s.Train(b, func(step Step) {
		batch := b.At(step.MiniBatch)
		r.MiniBatches++
		r.Loss += float64(step.Loss) * float64(batch.Len())
		scores = append(scores, step.Probabilities...)
		labels = append(labels, batch.Labels...)
		if progress != nil {
			progress(step)
		}
	})
	if err != nil {
		return r, fmt.Errorf("%s, mini-batch %d of %d: %w", s.Name(), r.MiniBatches, b.Len(), err)
	}
	r.Loss /= float64(r.Inputs)
	if auc, err := rec.AUC(scores, labels); err == nil {
		r.AUC = &auc
	} else if !errors.Is(err, rec.ErrOneClass) {
		return r, fmt.Errorf("%s: %w", s.Name(), err)
	}
	report := s.Report()
	r.Time, r.Breakdown, r.Busy, r.Counts = report.Time, report.Breakdown, report.Busy, report.Counts
	r.PerBatch = r.Time / node.Time(r.MiniBatches)
	return r, nil
}

// Parameters is the number of parameters of a system's model.
func Parameters(s System) int64 {
	n, model := int64(s.Net().Len()), s.Model()
	for _, t := range model.Tables {
		n += int64(t.Rows) * int64(model.Dim)
	}
	return n
}
