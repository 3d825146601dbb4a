package timing

import "github.com/hotline-rtl/hotline/host/node/timeline"

// phaseSegregate is the time for which the GPUs wait until they know which inputs
// are popular.
const phaseSegregate = "waiting for segregation"

// CPUHotline is Hotline without an accelerator (ISCA 2024, Challenge 2 of Sec. III
// and Fig. 23): the CPU finds the popular inputs of the next mini-batch while the
// GPUs train, and collects and updates cold rows. Where it learns, it counts rows
// behind the update of the mini-batch before.
func CPUHotline(s *schedule, works []Work) {
	c := cpuHotline{schedule: s}
	for m, w := range works {
		s.begin(m)
		if m == 0 || w.Counted > 0 {
			c.segregated = c.segregate(w, c.learn(w, timeline.Latest(s.params, c.updated)))
		}
		c.step(w, works[m+1:])
	}
	s.marks.mark(phaseUpdate, c.updated)
}

// cpuHotline is CPUHotline under way.
type cpuHotline struct {
	*schedule
	segregated timeline.Point // the next mini-batch
	updated    timeline.Point // the cold rows of the mini-batch before, behind which the CPU goes on
}

// learn counts lookups to find the hot rows, and moves those whose place changes.
func (c *cpuHotline) learn(w Work, after timeline.Point) timeline.Point {
	if w.Counted == 0 {
		return after
	}
	counted := book(c.cpu, "count lookups", c.Machine.Segregate(w.Counted), 0, after)
	c.marks.mark(phaseLearn, counted)
	return c.moveRows(w, counted)
}

func (c *cpuHotline) step(w Work, next []Work) {
	s := c.schedule
	loaded := s.load(w.Inputs, false, s.params)
	s.marks.mark(phaseLoad, loaded)
	begun := timeline.Latest(c.segregated, loaded, s.params)
	s.marks.mark(phaseSegregate, begun)
	rows := ceil(w.ColdRows, s.Nodes)
	collected := book(s.cpu, "collect rows", s.rowTime(rows)/3, rows*s.rowBytes(), begun)
	gathered := s.copy("cold rows", s.toGPUs, s.pieces(), ceil(w.ColdCopies, s.GPUs*s.Nodes)*s.rowBytes(), collected)
	if len(next) > 0 && next[0].Counted == 0 {
		c.segregated = c.segregate(next[0], begun)
	}
	popular := s.gpu(append(s.embedding(s.share(w.Popular)), s.train(s.share(w.Popular))...), begun)
	s.marks.mark(phasePopular, popular)
	s.marks.mark(phaseWaitGather, gathered)
	others := s.share(w.Inputs - w.Popular)
	trained := s.wait(s.gpu(append(s.embedding(others), s.train(others)...), popular, gathered))
	s.marks.mark(phaseNonPopular, trained)
	c.update(w, trained)
}

// segregate books the look-ups that tell which inputs are popular.
func (c *cpuHotline) segregate(w Work, after timeline.Point) timeline.Point {
	lookups := c.server(w.Inputs) * c.Model.Lookups()
	return book(c.cpu, "segregate", c.Machine.Segregate(lookups), 0, after)
}

// update brings the gradients together and updates all parameters.
func (c *cpuHotline) update(w Work, trained timeline.Point) {
	s := c.schedule
	reduced := s.allReduce(trained)
	s.marks.mark(phaseReduce, reduced)
	exchanged := s.exchangeHot(w, reduced)
	s.marks.mark(phaseExchange, exchanged)
	optimised := s.wait(s.gpu(append(s.optimiser(), s.rowUpdate(w.HotRows)...), exchanged))
	s.marks.mark(phaseOptimiser, optimised)
	rows := ceil(w.ColdRows, s.Nodes)
	back := s.copy("gradients of cold rows", s.toHost, s.pieces(), ceil(rows, s.GPUs)*s.rowBytes(), optimised)
	c.updated = s.updateRows(rows, back)
	s.end(optimised)
}
