package timing

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/node/timeline"
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
func CDLRM(s *schedule, works []Work) {
	c := cdlrm{schedule: s}
	for m, w := range works {
		s.begin(m)
		if m == 0 {
			c.loadNext(works, timeline.Point{})
			c.prefetchNext(works, timeline.Point{})
		}
		if w.Window > 0 {
			c.begin(w, works[m+1:])
		}
		c.step(w)
	}
	s.marks.mark(phaseWriteBack, c.written)
}

// cdlrm is CDLRM under way.
type cdlrm struct {
	*schedule
	loaded     timeline.Point // the window that is prefetched next
	prefetched timeline.Point // the window that is trained on next
	written    timeline.Point // all rows that have left the caches so far, and victims
	settled    timeline.Point // those of them that a victim may be
}

// begin caches the rows of a window.
func (c *cdlrm) begin(w Work, next []Work) {
	begun := timeline.Latest(c.prefetched, c.params)
	c.marks.mark(phaseLookAhead, begun)
	c.prefetchNext(next, begun)
	c.settled = c.written
	c.params = c.cache(w, begun)
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
	s := c.schedule
	found := book(c.prefetcher, "list rows", s.Machine.Segregate(w.Window*s.Model.Lookups()), 0, after)
	return book(c.prefetcher, "copy rows to queue", s.collectTime(w.Unique), s.tables()*w.Unique*s.rowBytes(), found)
}

// loadAll books the loading of n inputs in one process, which reads ahead for all
// servers.
func (s *schedule) loadAll(n int, after timeline.Point) timeline.Point {
	if s.Profile.Loader == "hidden" {
		return after
	}
	values := n * (s.bags() + s.Model.DenseWidth() + 1)
	return book(s.loader, "load inputs", s.Machine.Loader(values), 4*values, after)
}

// collectTime is the CPU's time to read or write n rows, and their states likewise:
// a third of what training them takes.
func (s *schedule) collectTime(n int) node.Time {
	if n == 0 {
		return 0
	}
	return node.Time(s.tables()) * s.rowTime(n) / 3
}

// cache books what the training process does before a window: it looks all rows up in
// the occupancy tables, takes rows out of the caches of GPU 0, and puts others in.
func (c *cdlrm) cache(w Work, after timeline.Point) timeline.Point {
	s, tables := c.schedule, c.tables()
	looked := book(s.thread, "look up occupancy", s.Machine.Segregate(w.Unique), 0, after)
	taken := s.gpu(s.rowMove("collect evicted rows", w.Evicted, tables), looked)
	out := s.copyGPUs("evicted rows", s.toHost, 1, s.pieces(), tables*w.Evicted*s.rowBytes(), taken)
	ready := out
	if w.Again > 0 {
		ready = book(s.cpu, "fetch rows again", s.collectTime(w.Again), tables*w.Again*s.rowBytes(), out, c.written)
	}
	c.writeBack(w.Evicted, out)
	in := s.copyGPUs("cached rows", s.toGPUs, 1, s.pieces(), tables*w.Cached*s.rowBytes(), ready)
	cached := s.wait(s.gpu(s.rowMove("scatter cached rows", w.Cached, tables), in))
	s.marks.mark(phaseCaching, cached)
	bytes := tables * w.HotTable * s.rowBytes()
	sent := book(s.links, "broadcast caches", s.Machine.Broadcast(bytes, s.GPUs, s.Nodes), bytes, cached)
	s.marks.mark(phaseBroadcast, sent)
	return sent
}

// writeBack books the eviction process.
func (c *cdlrm) writeBack(rows int, after timeline.Point) {
	if rows == 0 {
		return
	}
	bytes := c.tables() * rows * c.rowBytes()
	c.written = book(c.evictor, "write rows back", c.collectTime(rows), bytes, after)
}

// step books a mini-batch. Its inputs have been loaded with its window.
func (c *cdlrm) step(w Work) {
	s := c.schedule
	ready := c.fetchVictims(w, s.params)
	s.marks.mark(phaseVictims, ready)
	n := s.share(w.Inputs)
	trained := s.wait(s.gpu(append(s.embedding(n), s.train(n)...), ready))
	s.marks.mark(phaseGPU, trained)
	reduced := s.allReduce(trained)
	s.marks.mark(phaseReduce, reduced)
	ops := append(s.optimiser(), s.rowStates(ceil(w.Listed, s.GPUs*s.Nodes), s.pieces())...)
	optimised := s.wait(s.gpu(ops, reduced))
	s.marks.mark(phaseOptimiser, optimised)
	end := optimised
	if w.Averaged {
		bytes := w.HotTable * s.rowBytes()
		end = book(s.links, "average caches", s.Machine.AllReduce(bytes, s.GPUs, s.Nodes), bytes, optimised)
		s.marks.mark(phaseAverage, end)
	}
	c.flush(w, end)
	s.end(end)
}

// fetchVictims books the rows that the GPUs fetch for a mini-batch, when those that
// went back before are in place.
func (c *cdlrm) fetchVictims(w Work, after timeline.Point) timeline.Point {
	if w.Victims == 0 {
		return after
	}
	s, tables := c.schedule, c.tables()
	each := ceil(w.Victims, s.GPUs*s.Nodes)
	collected := book(s.cpu, "collect victims", s.collectTime(w.Victims), tables*w.Victims*s.rowBytes(), after, c.settled)
	there := s.copy("victims", s.toGPUs, s.pieces(), tables*each*s.rowBytes(), collected)
	return s.gpu(s.rowMove("scatter victims", each, tables), there)
}

// flush books the way of the victims back, of each from one GPU.
func (c *cdlrm) flush(w Work, after timeline.Point) {
	if w.Flushed == 0 {
		return
	}
	s, tables := c.schedule, c.tables()
	each := ceil(w.Flushed, s.GPUs*s.Nodes)
	taken := s.gpu(s.rowMove("collect victims", each, tables), after)
	c.writeBack(w.Flushed, s.copy("updated victims", s.toHost, s.pieces(), tables*each*s.rowBytes(), taken))
	c.settled = c.written
}
