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
	Popular *int     `json:"popular,omitempty"` // inputs; nil if the system does not tell them apart
	Hits    *int     `json:"hits,omitempty"`    // lookups; nil if the system has no cache of rows
	Loss    *float32 `json:"loss,omitempty"`    // mean over the inputs, before training on them; nil without values
	Time    des.Time `json:"time_ps"`           // from the end of the one before
	End     des.Time `json:"end_ps"`            // from the start
	// Work is what the system asked of the machine, from which the time follows.
	Work timing.Work `json:"work"`
}

// MeanLoss is the loss, NaN without values.
func (m MiniBatch) MeanLoss() float64 {
	if m.Loss == nil {
		return math.NaN()
	}
	return float64(*m.Loss)
}

// EvaluationAt is how well a model predicts what was held out, after that many
// mini-batches.
type EvaluationAt struct {
	MiniBatch int `json:"mini_batch"`
	train.Evaluation
}
