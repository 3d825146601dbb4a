package timing

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
)

// Phases of cDLRM that other systems have not.
const (
	phaseLookAhead = "waiting for look-ahead"
	phaseCaching   = "caching"
	phaseBroadcast = "cache broadcast"
	phaseVictims   = "victims"
	phaseAverage   = "cache average"
	phaseWriteBack = "write-back exposed"
)

// CDLRM keeps what a window of mini-batches reads in caches on the GPUs (RecSys 2021,
// Sec. 4 to 6). A prefetching process lists the rows of the next window and copies them
// to a queue while the GPUs train on this one, and a reader loads the window behind
// that; GPU 0 gets the rows that are not cached and
// broadcasts its caches; an eviction process writes rows back that leave them.
// Caches are averaged by an all-reduce of all of their slots.
//
// All tables are in the memory of the server of GPU 0, which stands for all servers.
func CDLRM(s *Schedule, works []Work) {
	c := cdlrm{Schedule: s}
	for m, w := range works {
		s.Begin(m)
		if m == 0 {
			c.loadNext(works, timeline.Point{})
			c.prefetchNext(works, timeline.Point{})
		}
		if w.Window > 0 {
			c.begin(w, works[m+1:])
		}
		c.step(w)
	}
	s.Mark(phaseWriteBack, c.written)
}

// cdlrm is CDLRM under way.
type cdlrm struct {
	*Schedule
	loaded     timeline.Point // the window that is prefetched next
	prefetched timeline.Point // the window that is trained on next
	written    timeline.Point // all rows that have left the caches so far, and victims
	settled    timeline.Point // those of them that a victim may be
}

// begin caches the rows of a window.
func (c *cdlrm) begin(w Work, next []Work) {
	begun := timeline.Latest(c.prefetched, c.Params)
	c.Mark(phaseLookAhead, begun)
	c.prefetchNext(next, begun)
	c.settled = c.written
	c.Params = c.cache(w, begun)
}

// nextWindow is where the first window begins in the works, -1 if none does.
func nextWindow(works []Work) int {
	return slices.IndexFunc(works, func(w Work) bool { return w.Window > 0 })
}

// loadNext loads the first window that begins in the works.
func (c *cdlrm) loadNext(works []Work, after timeline.Point) {
	if i := nextWindow(works); i >= 0 {
		c.loaded = c.loadAll(works[i].Window, after)
	}
}

// prefetchNext prefetches that window, whose inputs leave the reader room for those of
// the one behind it.
func (c *cdlrm) prefetchNext(works []Work, after timeline.Point) {
	if i := nextWindow(works); i >= 0 {
		begun := timeline.Latest(after, c.loaded)
		c.prefetched = c.prefetch(works[i], begun)
		c.loadNext(works[i+1:], begun)
	}
}

// prefetch books the search for a window's distinct rows, a look-up for each lookup,
// and the copy of these rows to the queue.
func (c *cdlrm) prefetch(w Work, after timeline.Point) timeline.Point {
	s := c.Schedule
	found := book(c.prefetcher, "list rows", s.Machine.Segregate(w.Window*s.Model.Lookups()), 0, after)
	return book(c.prefetcher, "copy rows to queue", s.collectTime(w.Unique), s.Tables()*w.Unique*s.RowBytes(), found)
}

// loadAll books the loading of n inputs in one process, which reads ahead for all
// servers.
func (s *Schedule) loadAll(n int, after timeline.Point) timeline.Point {
	if s.Profile.Loader == "hidden" {
		return after
	}
	values := n * (s.bags() + s.Model.DenseWidth() + 1)
	return book(s.Loader, "load inputs", s.Machine.Loader(values), 4*values, after)
}

// collectTime is the CPU's time to read or write n rows, and their states likewise:
// a third of what training them takes.
func (s *Schedule) collectTime(n int) des.Time {
	if n == 0 {
		return 0
	}
	return des.Time(s.Tables()) * s.rowTime(n) / 3
}

// cache books what the training process does before a window: it looks all rows up in
// the occupancy tables, takes rows out of the caches of GPU 0, and puts others in.
func (c *cdlrm) cache(w Work, after timeline.Point) timeline.Point {
	s, tables := c.Schedule, c.Tables()
	looked := book(s.Thread, "look up occupancy", s.Machine.Segregate(w.Unique), 0, after)
	taken := s.GPU(s.RowMove("collect evicted rows", w.Evicted, tables), looked)
	out := s.CopyGPUs("evicted rows", s.ToHost, 1, s.pieces(), tables*w.Evicted*s.RowBytes(), taken)
	ready := out
	if w.Again > 0 {
		ready = book(s.CPU, "fetch rows again", s.collectTime(w.Again), tables*w.Again*s.RowBytes(), out, c.written)
	}
	c.writeBack(w.Evicted, out)
	in := s.CopyGPUs("cached rows", s.ToGPUs, 1, s.pieces(), tables*w.Cached*s.RowBytes(), ready)
	cached := s.Wait(s.GPU(s.RowMove("scatter cached rows", w.Cached, tables), in))
	s.Mark(phaseCaching, cached)
	bytes := tables * w.HotTable * s.RowBytes()
	sent := book(s.Links, "broadcast caches", s.Machine.Broadcast(bytes, s.GPUs, s.Nodes), bytes, cached)
	s.Mark(phaseBroadcast, sent)
	return sent
}

// writeBack books the eviction process.
func (c *cdlrm) writeBack(rows int, after timeline.Point) {
	if rows == 0 {
		return
	}
	bytes := c.Tables() * rows * c.RowBytes()
	c.written = book(c.evictor, "write rows back", c.collectTime(rows), bytes, after)
}

// step books a mini-batch. Its inputs have been loaded with its window.
func (c *cdlrm) step(w Work) {
	s := c.Schedule
	ready := c.fetchVictims(w, s.Params)
	s.Mark(phaseVictims, ready)
	n := s.Share(w.Inputs)
	trained := s.Wait(s.GPU(append(s.Embedding(n), s.Train(n)...), ready))
	s.Mark(phaseGPU, trained)
	reduced := s.AllReduce(trained)
	s.Mark(phaseReduce, reduced)
	ops := append(s.Optimiser(), s.rowStates(ceil(w.Listed, s.GPUs*s.Nodes), s.pieces())...)
	optimised := s.Wait(s.GPU(ops, reduced))
	s.Mark(phaseOptimiser, optimised)
	end := optimised
	if w.Averaged {
		bytes := w.HotTable * s.RowBytes()
		end = book(s.Links, "average caches", s.Machine.AllReduce(bytes, s.GPUs, s.Nodes), bytes, optimised)
		s.Mark(phaseAverage, end)
	}
	c.flush(w, end)
	s.End(end)
}

// fetchVictims books the rows that the GPUs fetch for a mini-batch, when those that
// went back before are in place.
func (c *cdlrm) fetchVictims(w Work, after timeline.Point) timeline.Point {
	if w.Victims == 0 {
		return after
	}
	s, tables := c.Schedule, c.Tables()
	each := ceil(w.Victims, s.GPUs*s.Nodes)
	collected := book(s.CPU, "collect victims", s.collectTime(w.Victims), tables*w.Victims*s.RowBytes(), after, c.settled)
	there := s.Copy("victims", s.ToGPUs, s.pieces(), tables*each*s.RowBytes(), collected)
	return s.GPU(s.RowMove("scatter victims", each, tables), there)
}

// flush books the way of the victims back, of each from one GPU.
func (c *cdlrm) flush(w Work, after timeline.Point) {
	if w.Flushed == 0 {
		return
	}
	s, tables := c.Schedule, c.Tables()
	each := ceil(w.Flushed, s.GPUs*s.Nodes)
	taken := s.GPU(s.RowMove("collect victims", each, tables), after)
	c.writeBack(w.Flushed, s.Copy("updated victims", s.ToHost, s.pieces(), tables*each*s.RowBytes(), taken))
	c.settled = c.written
}
