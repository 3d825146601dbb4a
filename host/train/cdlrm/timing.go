package cdlrm

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Work counts what only this system asks of the machine.
type Work struct {
	// In the first mini-batch of a look-ahead window: the window's inputs and distinct rows,
	// and of these the rows that are copied to the caches, the copied rows that are fetched
	// again before, and the rows that leave the caches for them.
	Window  int `json:"window,omitempty"`
	Unique  int `json:"unique,omitempty"`
	Cached  int `json:"cached,omitempty"`
	Again   int `json:"again,omitempty"`
	Evicted int `json:"evicted,omitempty"`
	// In any mini-batch: the rows that are not cached, which GPUs fetch, in sum over the
	// GPUs, and which go back; whether the GPUs average their caches at its end.
	Victims  int  `json:"victims,omitempty"`
	Flushed  int  `json:"flushed,omitempty"`
	Averaged bool `json:"averaged,omitempty"`
}

func own(w timing.Work) Work { return timing.Own[Work](w) }

// Phases that only this system has.
const (
	phaseLookAhead = "waiting for look-ahead"
	phaseCaching   = "caching"
	phaseBroadcast = "cache broadcast"
	phaseVictims   = "victims"
	phaseAverage   = "cache average"
	phaseWriteBack = "write-back exposed"
)

// Order keeps what a window of mini-batches reads in caches on the GPUs (RecSys 2021,
// Sec. 4 to 6). A prefetching process lists the rows of the next window and copies them
// to a queue while the GPUs train on this one, and a reader loads the window behind
// that. GPU 0 gets the rows that are not cached and broadcasts its caches. An eviction
// process writes rows back that leave them. Caches are averaged by an all-reduce of all of their slots.
//
// All tables are in the memory of the server of GPU 0, which represents all servers.
func Order(s *timing.Schedule, works []timing.Work) {
	c := order{Schedule: s, prefetcher: s.Resource("prefetching process", 1), evictor: s.Resource("eviction process", 1)}
	for m, w := range works {
		s.Begin(m)
		if m == 0 {
			c.loadNext(works, timeline.Point{})
			c.prefetchNext(works, timeline.Point{})
		}
		if own(w).Window > 0 {
			c.begin(w, works[m+1:])
		}
		c.step(w)
	}
	s.Mark(phaseWriteBack, c.written)
}

// order holds the state of an order.
type order struct {
	*timing.Schedule
	prefetcher *timeline.Resource // processes on the CPU
	evictor    *timeline.Resource
	loaded     timeline.Point // the window that is prefetched next
	prefetched timeline.Point // the window that is trained on next
	written    timeline.Point // all rows that have left the caches so far, and victims
	settled    timeline.Point // the rows that a victim may be
}

// begin caches the rows of a window.
func (c *order) begin(w timing.Work, next []timing.Work) {
	begun := timeline.Latest(c.prefetched, c.Params)
	c.Mark(phaseLookAhead, begun)
	c.prefetchNext(next, begun)
	c.settled = c.written
	c.Params = c.cache(w, begun)
}

// nextWindow returns where the first window begins in the works, -1 if none does.
func nextWindow(works []timing.Work) int {
	return slices.IndexFunc(works, func(w timing.Work) bool { return own(w).Window > 0 })
}

// loadNext loads the first window that begins in the works.
func (c *order) loadNext(works []timing.Work, after timeline.Point) {
	if i := nextWindow(works); i >= 0 {
		c.loaded = c.LoadAll(own(works[i]).Window, after)
	}
}

// prefetchNext prefetches that window. Its inputs then leave the reader room for the window
// behind it.
func (c *order) prefetchNext(works []timing.Work, after timeline.Point) {
	if i := nextWindow(works); i >= 0 {
		begun := timeline.Latest(after, c.loaded)
		c.prefetched = c.prefetch(works[i], begun)
		c.loadNext(works[i+1:], begun)
	}
}

// prefetch books the search for a window's distinct rows, a look-up for each lookup,
// and the copy of these rows to the queue.
func (c *order) prefetch(w timing.Work, after timeline.Point) timeline.Point {
	s, own := c.Schedule, own(w)
	found := s.Book(c.prefetcher, "list rows", s.Machine.Segregate(own.Window*s.Model.Lookups()), 0, after)
	return s.Book(c.prefetcher, "copy rows to queue", c.collectTime(own.Unique), s.Tables()*own.Unique*s.RowBytes(), found)
}

// collectTime returns the CPU's time to read or write n rows, and their states likewise.
func (c *order) collectTime(n int) des.Time {
	if n == 0 {
		return 0
	}
	return des.Time(c.Tables()) * c.RowTime(n) / 3
}

// cache books what the training process does before a window: it looks all rows up in
// the occupancy tables, takes rows out of the caches of GPU 0, and puts others in.
func (c *order) cache(w timing.Work, after timeline.Point) timeline.Point {
	s, tables, own := c.Schedule, c.Tables(), own(w)
	looked := s.Book(s.Thread, "look up occupancy", s.Machine.Segregate(own.Unique), 0, after)
	taken := s.GPU(s.RowMove("collect evicted rows", own.Evicted, tables), looked)
	out := s.CopyGPUs("evicted rows", s.ToHost, 1, s.Pieces(), tables*own.Evicted*s.RowBytes(), taken)
	ready := out
	if own.Again > 0 {
		ready = s.Book(s.CPU, "fetch rows again", c.collectTime(own.Again), tables*own.Again*s.RowBytes(), out, c.written)
	}
	c.writeBack(own.Evicted, out)
	in := s.CopyGPUs("cached rows", s.ToGPUs, 1, s.Pieces(), tables*own.Cached*s.RowBytes(), ready)
	cached := s.Wait(s.GPU(s.RowMove("scatter cached rows", own.Cached, tables), in))
	s.Mark(phaseCaching, cached)
	bytes := tables * w.HotTable * s.RowBytes()
	sent := s.Book(s.Links, "broadcast caches", s.Machine.Broadcast(bytes, s.GPUs, s.Nodes), bytes, cached)
	s.Mark(phaseBroadcast, sent)
	return sent
}

// writeBack books the eviction process.
func (c *order) writeBack(rows int, after timeline.Point) {
	if rows == 0 {
		return
	}
	bytes := c.Tables() * rows * c.RowBytes()
	c.written = c.Book(c.evictor, "write rows back", c.collectTime(rows), bytes, after)
}

// step books a mini-batch. Its inputs have been loaded with its window.
func (c *order) step(w timing.Work) {
	s := c.Schedule
	ready := c.fetchVictims(w, s.Params)
	s.Mark(phaseVictims, ready)
	n := s.Share(w.Inputs)
	trained := s.Wait(s.GPU(append(s.Embedding(n), s.Train(n)...), ready))
	s.Mark(timing.PhaseGPU, trained)
	reduced := s.AllReduce(trained)
	s.Mark(timing.PhaseReduce, reduced)
	ops := append(s.Optimiser(), s.RowStates(s.Share(w.Listed), s.Pieces())...)
	optimised := s.Wait(s.GPU(ops, reduced))
	s.Mark(timing.PhaseOptimiser, optimised)
	end := optimised
	if own(w).Averaged {
		bytes := w.HotTable * s.RowBytes()
		end = s.Book(s.Links, "average caches", s.Machine.AllReduce(bytes, s.GPUs, s.Nodes), bytes, optimised)
		s.Mark(phaseAverage, end)
	}
	c.flush(w, end)
	s.End(end)
}

// fetchVictims books the rows that the GPUs fetch for a mini-batch, when those that
// went back before are in place.
func (c *order) fetchVictims(w timing.Work, after timeline.Point) timeline.Point {
	victims := own(w).Victims
	if victims == 0 {
		return after
	}
	s, tables := c.Schedule, c.Tables()
	each := s.Share(victims)
	collected := s.Book(s.CPU, "collect victims", c.collectTime(victims), tables*victims*s.RowBytes(), after, c.settled)
	there := s.Copy("victims", s.ToGPUs, s.Pieces(), tables*each*s.RowBytes(), collected)
	return s.GPU(s.RowMove("scatter victims", each, tables), there)
}

// flush books the way of the victims back, of each from one GPU.
func (c *order) flush(w timing.Work, after timeline.Point) {
	flushed := own(w).Flushed
	if flushed == 0 {
		return
	}
	s, tables := c.Schedule, c.Tables()
	each := s.Share(flushed)
	taken := s.GPU(s.RowMove("collect victims", each, tables), after)
	c.writeBack(flushed, s.Copy("updated victims", s.ToHost, s.Pieces(), tables*each*s.RowBytes(), taken))
	c.settled = c.written
}
