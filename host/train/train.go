package train

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// System trains a model on a machine.
type System interface {
	// Name returns the name used in reports.
	Name() string
	// Model returns the model that the system trains.
	Model() dlrm.Config
	// Train trains on all mini-batches in order, starting with the first. After each mini-batch,
	// when no update is pending, it calls done. An error of done ends the training. Train reports
	// to w every use and every move of a row. It is called once.
	Train(b *Batches, w Watch, done func(Step) error) error
	// Net returns the dense part of the model.
	Net() *dlrm.Net
	// Row reads an embedding row (Dim values) from its current location.
	Row(table int, index uint32, dst []float32) error
	// RowState returns the optimiser's state of a row, which the caller must not change. It returns
	// nil if the optimiser keeps no state, or if the state is zero.
	RowState(table int, index uint32) []float32
	// Touched lists, in order, the rows of a table whose values may differ from the initial ones.
	Touched(table int) []Span
	// Counts returns the system's event counts so far.
	Counts() []Count
	// Order returns the order of the system's work, from which timing computes its time.
	Order() timing.System
}

// Step is the outcome of one mini-batch.
type Step struct {
	MiniBatch     int         // number, from 0
	Loss          float32     // mean over its inputs; 0 without arithmetic
	Labels        []float32   // of its inputs
	Popular       *int        // number of popular inputs; nil if the system does not distinguish them
	Hits          *int        // lookups of rows that were on the GPUs before the mini-batch fetched any; nil without a cache of rows
	Probabilities []float32   // predicted click probability of each input before training on it; valid during the call; nil without arithmetic
	Work          timing.Work // work that the mini-batch requested from the machine
}

// Count is a labelled number of events.
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
	Loss        float64  // mean over all inputs; 0 without arithmetic
	AUC         *float64 // progressive; nil without arithmetic or if all labels are equal
	Counts      []Count
	Works       []timing.Work // per mini-batch
}

// Count returns the count with the given label, or 0.
func (r Result) Count(label string) int64 {
	for _, c := range r.Counts {
		if c.Label == label {
			return c.N
		}
	}
	return 0
}

// ErrEnough ends a training before its last mini-batch if a caller of Run returns it from progress.
// It is not a failure.
var ErrEnough = errors.New("enough")

// Run trains a system, watched by w, and returns the result. It calls progress, unless nil, after
// each mini-batch; an error of progress ends the run. ErrEnough leaves a valid result. Any other
// error is returned with the system and the mini-batch.
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
	if errors.Is(err, ErrEnough) {
		err = checkReplicas(s)
	}
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

// checkReplicas makes the comparison of replicas that a system omits if it is stopped early.
func checkReplicas(s System) error {
	if c, ok := s.(interface{ CheckReplicas() error }); ok {
		return c.CheckReplicas()
	}
	return nil
}

// Parameters returns the number of parameters of a system's model.
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
