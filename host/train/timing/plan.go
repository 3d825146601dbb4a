package timing

import (
	"errors"
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/dlrm"
	"github.com/hotline-rtl/hotline/host/train/machine"
)

// Plan is what a training runs on.
type Plan struct {
	Machine *machine.Machine
	Profile Profile
	Model   dlrm.Config
	GPUs    int // in a server
	Nodes   int // servers
}

// Work is what a mini-batch asks of the machine: counts, which depend on indices
// and never on values.
type Work struct {
	Inputs int `json:"inputs"`
	// Popular inputs have all rows among the hot ones; Cold tells that a
	// mini-batch of FAE is of other inputs.
	Popular int  `json:"popular,omitempty"`
	Cold    bool `json:"cold,omitempty"`
	// Rows whose gradients there are: distinct ones of the mini-batch that are hot
	// and cold, and the sum over GPUs of the distinct ones of each.
	HotRows  int `json:"hot_rows,omitempty"`
	ColdRows int `json:"cold_rows,omitempty"`
	Listed   int `json:"listed,omitempty"`
	// HotTable is the number of rows that each GPU holds.
	HotTable int `json:"hot_table,omitempty"`
	// Rows that move between host and GPUs before the mini-batch, in FAE as copies.
	Promoted int `json:"promoted,omitempty"`
	Demoted  int `json:"demoted,omitempty"`
	// What the accelerator took for its commands, from the doorbell to the last
	// write. Learn and ReadOut come before the mini-batch.
	Learn    des.Time `json:"learn_ps,omitempty"`
	ReadOut  des.Time `json:"read_out_ps,omitempty"`
	Classify des.Time `json:"classify_ps,omitempty"`
	Gather   des.Time `json:"gather_ps,omitempty"`
	Update   des.Time `json:"update_ps,omitempty"`
	// Of the baselines: lookups that the CPU counted before the mini-batch, to learn
	// which rows are hot; cold rows that are copied to GPUs, the sum over GPUs of the
	// distinct ones of each; lookups that miss a cache, and bags that have some; and
	// the lookups that fall to the GPU which has the most of the rows, 0 if all GPUs
	// have as many.
	Counted    int `json:"counted,omitempty"`
	ColdCopies int `json:"cold_copies,omitempty"`
	Missed     int `json:"missed,omitempty"`
	MissedBags int `json:"missed_bags,omitempty"`
	Gathered   int `json:"gathered,omitempty"`
	// Slots for rows in the memory of all GPUs, and the rows that come into slots and
	// leave them before the mini-batch.
	Slots  int `json:"slots,omitempty"`
	Fills  int `json:"fills,omitempty"`
	Leaves int `json:"leaves,omitempty"`
	// Of cDLRM, in the first mini-batch of a look-ahead window: the window's inputs and
	// distinct rows, and of these the rows that are copied to the caches, those of them
	// that are fetched again before, and the rows that leave the caches for them.
	Window  int `json:"window,omitempty"`
	Unique  int `json:"unique,omitempty"`
	Cached  int `json:"cached,omitempty"`
	Again   int `json:"again,omitempty"`
	Evicted int `json:"evicted,omitempty"`
	// And in any: the rows that are not cached, which GPUs fetch, in sum over the GPUs,
	// and which go back; whether the GPUs average their caches behind it.
	Victims  int  `json:"victims,omitempty"`
	Flushed  int  `json:"flushed,omitempty"`
	Averaged bool `json:"averaged,omitempty"`
	// Of EL-Rec and TT-Rec: lookups in tables in tensor-train form; products of two
	// slices, and with the third, on the way forward; gradients that are multiplied
	// with slices on the way back; each the sum over GPUs. Recent rows, of the cold
	// ones, are taken from the GPUs' caches.
	TTLookups  int `json:"tt_lookups,omitempty"`
	TTPrefixes int `json:"tt_prefixes,omitempty"`
	TTRows     int `json:"tt_rows,omitempty"`
	TTBackward int `json:"tt_backward,omitempty"`
	Recent     int `json:"recent,omitempty"`
	// Own are counts for which there is no field here, of a system of one's own, by
	// names that its order knows.
	Own map[string]int `json:"own,omitempty"`
}

// System is the order in which a training system works. It books all mini-batches, marks
// their phases, and says when each ends. It is called for stretches of a training, too,
// on other machines and with other profiles, several at a time, so it depends on nothing but
// its arguments.
type System func(s *Schedule, works []Work)

// Run is the outcome of a plan.
type Run struct {
	Time   des.Time
	Ends   []des.Time       // of the mini-batches
	Phases []Phase          // add up to Time
	Chain  []timeline.Share // the work that bounds the run, by resource; adds up to Time
	Busy   []timeline.Share // work in all, by resource
	Links  []Link
}

// Link is a link of a server with what it carried: between the host and all GPUs, and
// on the network what each GPU gives.
type Link struct {
	Name  string `json:"link"`
	Bytes int64  `json:"bytes"`
}

// Phase is a part of the time, in the order in which parts first occur.
type Phase struct {
	Label   string   `json:"label"`
	Time    des.Time `json:"ps"`
	BoundBy string   `json:"bound_by"` // the resource with the largest share of it
}

// BoundBy is the resource with the largest part in what bounds the run.
func (r Run) BoundBy() string {
	var top timeline.Share
	for _, s := range r.Chain {
		if s.Time > top.Time {
			top = s
		}
	}
	return top.Resource
}

// Check reports that there is no such plan.
func (p Plan) Check() error {
	switch {
	case p.Machine == nil:
		return errors.New("timing: no machine")
	case p.GPUs < 1 || p.Nodes < 1:
		return fmt.Errorf("timing: %d GPUs in each of %d servers, expected at least 1", p.GPUs, p.Nodes)
	}
	if err := p.Profile.check(); err != nil {
		return fmt.Errorf("timing: profile %s: %w", p.Profile.Name, err)
	}
	return p.Model.Validate()
}

// Time is how long a system takes for works. Errors: that of Plan.Check; the order does
// not end each mini-batch, or leaves time at the end without a mark.
func Time(system System, p Plan, works []Work) (Run, error) {
	run, _, err := Trace(system, p, works, nil)
	return run, err
}

// Trace is [Time] with a timeline that has recorded what keep tells, by the number
// of the mini-batch that it is part of; its flow is [Flow]. A nil keep is none.
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

// Bare is [Time] without what explains a time: the Run has Time and Ends only. It is
// several times as fast.
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
