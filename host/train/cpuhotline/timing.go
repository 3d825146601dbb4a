package cpuhotline

import (
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Work counts the work that only this system requests.
type Work struct {
	// Counted is the number of lookups that the CPU counts before the mini-batch to learn which
	// rows are hot.
	Counted int `json:"counted,omitempty"`
}

func counted(w timing.Work) int { return timing.Own[Work](w).Counted }

// phaseSegregate is the time that the GPUs wait for the popularity of the inputs.
const phaseSegregate = "waiting for segregation"

// Order books the work of the system (ISCA 2024, Challenge 2 of Sec. III and Fig. 23). The CPU
// finds the popular inputs of the next mini-batch while the GPUs train, and collects and updates
// cold rows. To learn, it counts rows after the update of the previous mini-batch.
func Order(s *timing.Schedule, works []timing.Work) {
	c := order{Schedule: s}
	for m, w := range works {
		s.Begin(m)
		if m == 0 || counted(w) > 0 {
			c.segregated = c.segregate(w, c.learn(w, timeline.Latest(s.Params, c.updated)))
		}
		c.step(w, works[m+1:])
	}
	s.Mark(timing.PhaseUpdate, c.updated)
}

// order is the state of Order.
type order struct {
	*timing.Schedule
	segregated timeline.Point // the next mini-batch
	updated    timeline.Point // the cold rows of the previous mini-batch; the CPU then continues
}

// learn books counting lookups, and moving the rows whose place changes.
func (c *order) learn(w timing.Work, after timeline.Point) timeline.Point {
	if counted(w) == 0 {
		return after
	}
	learned := c.Book(c.CPU, "count lookups", c.Machine.Segregate(counted(w)), 0, after)
	c.Mark(timing.PhaseLearn, learned)
	return c.MoveRows(w, learned)
}

func (c *order) step(w timing.Work, next []timing.Work) {
	s := c.Schedule
	loaded := s.Load(w.Inputs, false, s.Params)
	s.Mark(timing.PhaseLoad, loaded)
	begun := timeline.Latest(c.segregated, loaded, s.Params)
	s.Mark(phaseSegregate, begun)
	collected := s.ReadRows("collect rows", s.ServerShare(w.ColdCopies), begun)
	gathered := s.Copy("cold rows", s.ToGPUs, s.Pieces(), s.Rows(w.ColdCopies), collected)
	if len(next) > 0 && counted(next[0]) == 0 {
		c.segregated = c.segregate(next[0], begun)
	}
	popular := s.GPU(append(s.Embedding(s.Share(w.Popular)), s.Train(s.Share(w.Popular))...), begun)
	s.Mark(timing.PhasePopular, popular)
	s.Mark(timing.PhaseGather, gathered)
	others := s.Share(w.Inputs - w.Popular)
	trained := s.Wait(s.GPU(append(s.Embedding(others), s.Train(others)...), popular, gathered))
	s.Mark(timing.PhaseNonPopular, trained)
	c.update(w, trained)
}

// segregate books the lookups that find the popular inputs.
func (c *order) segregate(w timing.Work, after timeline.Point) timeline.Point {
	lookups := c.ServerShare(w.Inputs) * c.Model.Lookups()
	return c.Book(c.CPU, "segregate", c.Machine.Segregate(lookups), 0, after)
}

// update reduces the gradients and updates all parameters.
func (c *order) update(w timing.Work, trained timeline.Point) {
	s := c.Schedule
	reduced := s.AllReduce(trained)
	s.Mark(timing.PhaseReduce, reduced)
	exchanged := s.ExchangeHot(w, reduced)
	s.Mark(timing.PhaseExchange, exchanged)
	optimised := s.Wait(s.GPU(append(s.Optimiser(), s.RowUpdate(w.HotRows)...), exchanged))
	s.Mark(timing.PhaseOptimiser, optimised)
	rows := s.ServerShare(w.ColdRows)
	back := s.Copy("gradients of cold rows", s.ToHost, s.Pieces(), s.Rows(w.ColdRows), optimised)
	c.updated = s.UpdateRows(rows, back)
	s.End(optimised)
}
