package experiment

import (
	"fmt"
	"math"
	"strings"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/study/report"
	"github.com/hotline-rtl/hotline/host/train"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/host/ui/format"
)

// series contains the mini-batches of a system, in order. Their times are set last.
type series []report.MiniBatch

func (s *series) add(step train.Step) {
	m := report.MiniBatch{Inputs: len(step.Labels), Popular: step.Popular, Hits: step.Hits}
	if step.Probabilities != nil {
		m.Loss = &step.Loss
	}
	*s = append(*s, m)
}

// hits returns the share of hits among all lookups, or nil if the system does not report hits.
// lookups is the number of lookups of an input.
func (s series) hits(lookups int) *float64 {
	hits, all := 0, 0
	for _, m := range s {
		if m.Hits == nil {
			return nil
		}
		hits, all = hits+*m.Hits, all+m.Inputs*lookups
	}
	share := report.Ratio(int64(hits), int64(all))
	return &share
}

// timed sets the end times of the mini-batches and the work from which they follow.
func (s series) timed(ends []des.Time, works []timing.Work) {
	last := des.Time(0)
	for i, end := range ends {
		s[i].Time, s[i].End, s[i].Work, last = end-last, end, works[i], end
	}
}

// Done is the progress of a system when a run was stopped.
type Done struct {
	System              string
	MiniBatches, Inputs int
	Loss                float64 // mean over the inputs; NaN without values
}

// done returns the progress of each system.
func (r *run) done() []Done {
	var list []Done
	for _, t := range r.trained {
		d := Done{System: t.Name}
		for _, m := range t.series {
			d.MiniBatches++
			d.Inputs += m.Inputs
			d.Loss += m.MeanLoss() * float64(m.Inputs)
		}
		d.Loss /= float64(max(1, d.Inputs))
		list = append(list, d)
	}
	return list
}

func (d Done) String() string {
	if d.MiniBatches == 0 {
		return d.System + ": no mini-batch"
	}
	text := fmt.Sprintf("%s: %s, %s inputs", d.System, format.Plural(d.MiniBatches, "mini-batch"), format.Thousands(int64(d.Inputs)))
	if math.IsNaN(d.Loss) {
		return text
	}
	return fmt.Sprintf("%s, loss %.6f", text, d.Loss)
}

// Stopped is the error of a run whose context has ended. It contains the progress of the systems.
type Stopped struct {
	Cause error // cause of the context's end
	Done  []Done
}

func (s *Stopped) Error() string {
	lines := []string{s.Cause.Error()}
	for _, d := range s.Done {
		lines = append(lines, d.String())
	}
	return strings.Join(append(lines, "the parameters were not compared"), "\n")
}

// Unwrap returns the cause.
func (s *Stopped) Unwrap() error { return s.Cause }
