package timing

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/machine"
	"github.com/hotline-rtl/hotline/hw/limits"
)

// Plan describes the machine, the software and the model of a training.
type Plan struct {
	Machine *machine.Machine
	Profile Profile
	Model   dlrm.Config
	GPUs    int // in a server
	Nodes   int // servers
}

// System is the order in which a training system works. It books all mini-batches, marks their
// phases, and ends each mini-batch. It is also called for parts of a training, with other machines
// and profiles, and concurrently, so its result must depend only on its arguments.
type System func(s *Schedule, works []Work)

// Run is the outcome of a plan.
type Run struct {
	Time   des.Time
	Ends   []des.Time       // of the mini-batches
	Phases []Phase          // add up to Time
	Chain  []timeline.Share // the work that bounds the run, by resource; adds up to Time
	Busy   []timeline.Share // total work, by resource
	Links  []Link
}

// Link is a link of a server with its transferred bytes: between the host and all GPUs; on the
// network, per GPU.
type Link struct {
	Name  string `json:"link"`
	Bytes int64  `json:"bytes"`
}

// Phase is a part of the time. Phases are in the order of their first occurrence.
type Phase struct {
	Label   string   `json:"label"`
	Time    des.Time `json:"ps"`
	BoundBy string   `json:"bound_by"` // the resource with the largest share of the phase
}

// BoundBy returns the resource with the largest share of the work that bounds the run.
func (r Run) BoundBy() string {
	var top timeline.Share
	for _, s := range r.Chain {
		if s.Time > top.Time {
			top = s
		}
	}
	return top.Resource
}

// Check returns an error if the plan is invalid.
func (p Plan) Check() error {
	switch {
	case p.Machine == nil:
		return errors.New("timing: no machine")
	case p.GPUs < 1 || p.Nodes < 1:
		return fmt.Errorf("timing: %d GPUs in each of %d servers, expected at least 1", p.GPUs, p.Nodes)
	}
	if _, err := limits.First(p.Profile); err != nil {
		return fmt.Errorf("timing: profile %s: %w", p.Profile.Name, err)
	}
	return p.Model.Validate()
}

// Time computes how long a system takes for works. It fails if Plan.Check does. It also fails if
// the order does not end each mini-batch, or leaves time at the end without a mark.
func Time(system System, p Plan, works []Work) (Run, error) {
	run, _, err := Trace(system, p, works, nil)
	return run, err
}

// Trace is like [Time], and also returns a timeline of the mini-batches for whose number keep
// returns true. [Flow] names their flows. A nil keep records none.
func Trace(system System, p Plan, works []Work, keep func(m int) bool) (Run, *timeline.Timeline, error) {
	if err := p.Check(); err != nil {
		return Run{}, nil, err
	}
	s := newSchedule(p)
	s.keep = keep
	system(s, works)
	if err := s.complete(len(works)); err != nil {
		return Run{}, s.line, err
	}
	return s.run(), s.line, nil
}

// Bare is like [Time], but computes only Time and Ends of the Run. It is several times as fast.
func Bare(system System, p Plan, works []Work) (Run, error) {
	if err := p.Check(); err != nil {
		return Run{}, err
	}
	s := newSchedule(p)
	s.line.Chains(false)
	s.marks.lastOnly = true
	system(s, works)
	return Run{Time: s.marks.last.At, Ends: s.ends}, s.complete(len(works))
}
