package cosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/train"
)

// MiniBatch is a mini-batch of a series. Times are simulated.
type MiniBatch struct {
	Inputs  int       `json:"inputs"`
	Popular *int      `json:"popular,omitempty"` // inputs; nil if the system does not tell them apart
	Loss    float32   `json:"loss"`              // mean over the inputs, before training on them
	Time    node.Time `json:"time_ps"`           // from the end of the one before
	End     node.Time `json:"end_ps"`            // from the start of the machine
}

// series are the mini-batches of a system, in order.
type series []MiniBatch

func (s *series) add(step train.Step, inputs int) {
	m := MiniBatch{Inputs: inputs, Popular: step.Popular, Loss: step.Loss, Time: step.Time, End: step.Time}
	if n := len(*s); n > 0 {
		m.Time -= (*s)[n-1].End
	}
	*s = append(*s, m)
}

// Done sums up what a system has done.
type Done struct {
	MiniBatches, Inputs int
	Loss                float64 // mean over the inputs
	Time                node.Time
}

// Done sums the series up.
func (s series) Done() Done {
	d := Done{MiniBatches: len(s)}
	for _, m := range s {
		d.Inputs += m.Inputs
		d.Loss += float64(m.Loss) * float64(m.Inputs)
		d.Time = m.End
	}
	d.Loss /= float64(max(1, d.Inputs))
	return d
}

func (d Done) String() string {
	if d.MiniBatches == 0 {
		return "no mini-batch"
	}
	return fmt.Sprintf("%s, %s inputs, loss %.6f, %s of simulated time",
		plural(d.MiniBatches, "mini-batch"), thousands(int64(d.Inputs)), d.Loss, d.Time)
}

// Stopped is the error of a run whose context has ended: what it had done.
type Stopped struct {
	Cause             error // the context's
	Baseline, Hotline Done
}

func (s *Stopped) Error() string {
	return fmt.Sprintf("%v\nbaseline: %v\nHotline: %v\nthe parameters were not compared", s.Cause, s.Baseline, s.Hotline)
}

// Unwrap gives the context's error.
func (s *Stopped) Unwrap() error { return s.Cause }
