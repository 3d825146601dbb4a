package timing

import "github.com/hotline-rtl/hotline/host/des/timeline"

// phaseSegregate is the time for which the GPUs wait until they know which inputs
// are popular.
const phaseSegregate = "waiting for segregation"

// CPUHotline is Hotline without an accelerator (ISCA 2024, Challenge 2 of Sec. III
// and Fig. 23): the CPU finds the popular inputs of the next mini-batch while the
// GPUs train, and collects and updates cold rows. Where it learns, it counts rows
// behind the update of the mini-batch before.
func CPUHotline(s *Schedule, works []Work) {
	c := cpuHotline{Schedule: s}
	for m, w := range works {
		s.Begin(m)
		if m == 0 || w.Counted > 0 {
			c.segregated = c.segregate(w, c.learn(w, timeline.Latest(s.Params, c.updated)))
		}
		c.step(w, works[m+1:])
	}
	s.Mark(phaseUpdate, c.updated)
}

// cpuHotline is CPUHotline under way.
type cpuHotline struct {
	*Schedule
	segregated timeline.Point // the next mini-batch
	updated    timeline.Point // the cold rows of the mini-batch before, behind which the CPU goes on
}

// learn counts lookups to find the hot rows, and moves those whose place changes.
func (c *cpuHotline) learn(w Work, after timeline.Point) timeline.Point {
	if w.Counted == 0 {
		return after
	}
	counted := book(c.CPU, "count lookups", c.Machine.Segregate(w.Counted), 0, after)
	c.Mark(phaseLearn, counted)
	return c.moveRows(w, counted)
}

func (c *cpuHotline) step(w Work, next []Work) {
	s := c.Schedule
	loaded := s.Load(w.Inputs, false, s.Params)
	s.Mark(phaseLoad, loaded)
	begun := timeline.Latest(c.segregated, loaded, s.Params)
	s.Mark(phaseSegregate, begun)
	rows := ceil(w.ColdRows, s.Nodes)
	collected := book(s.CPU, "collect rows", s.rowTime(rows)/3, rows*s.RowBytes(), begun)
	gathered := s.Copy("cold rows", s.ToGPUs, s.pieces(), ceil(w.ColdCopies, s.GPUs*s.Nodes)*s.RowBytes(), collected)
	if len(next) > 0 && next[0].Counted == 0 {
		c.segregated = c.segregate(next[0], begun)
	}
	popular := s.GPU(append(s.Embedding(s.Share(w.Popular)), s.Train(s.Share(w.Popular))...), begun)
	s.Mark(phasePopular, popular)
	s.Mark(phaseWaitGather, gathered)
	others := s.Share(w.Inputs - w.Popular)
	trained := s.Wait(s.GPU(append(s.Embedding(others), s.Train(others)...), popular, gathered))
	s.Mark(phaseNonPopular, trained)
	c.update(w, trained)
}

// segregate books the look-ups that tell which inputs are popular.
func (c *cpuHotline) segregate(w Work, after timeline.Point) timeline.Point {
	lookups := c.server(w.Inputs) * c.Model.Lookups()
	return book(c.CPU, "segregate", c.Machine.Segregate(lookups), 0, after)
}

// update brings the gradients together and updates all parameters.
func (c *cpuHotline) update(w Work, trained timeline.Point) {
	s := c.Schedule
	reduced := s.AllReduce(trained)
	s.Mark(phaseReduce, reduced)
	exchanged := s.ExchangeHot(w, reduced)
	s.Mark(phaseExchange, exchanged)
	optimised := s.Wait(s.GPU(append(s.Optimiser(), s.RowUpdate(w.HotRows)...), exchanged))
	s.Mark(phaseOptimiser, optimised)
	rows := ceil(w.ColdRows, s.Nodes)
	back := s.Copy("gradients of cold rows", s.ToHost, s.pieces(), ceil(rows, s.GPUs)*s.RowBytes(), optimised)
	c.updated = s.updateRows(rows, back)
	s.End(optimised)
}
