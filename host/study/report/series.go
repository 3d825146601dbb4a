package report

import (
	"math"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// MiniBatch is a mini-batch of a series. Times are simulated.
type MiniBatch struct {
	Inputs  int      `json:"inputs"`
	Popular *int     `json:"popular,omitempty"` // inputs; nil if the system does not distinguish popular inputs
	Hits    *int     `json:"hits,omitempty"`    // lookups; nil if the system has no cache of rows
	Loss    *float32 `json:"loss,omitempty"`    // mean over the inputs, before training on them; nil without values
	Time    des.Time `json:"time_ps"`           // since the end of the previous mini-batch
	End     des.Time `json:"end_ps"`            // since the start
	// Work is the work of the machine from which the time is derived.
	Work timing.Work `json:"work"`
}

// MeanLoss returns the loss, or NaN without values.
func (m MiniBatch) MeanLoss() float64 {
	if m.Loss == nil {
		return math.NaN()
	}
	return float64(*m.Loss)
}

// EvaluationAt is the evaluation of a model on the held-out inputs, after this number of
// mini-batches.
type EvaluationAt struct {
	MiniBatch int `json:"mini_batch"`
	Epoch     int `json:"epoch,omitempty"` // epoch that the last mini-batch ended, from 1; 0 with a single epoch
	train.Evaluation
}
