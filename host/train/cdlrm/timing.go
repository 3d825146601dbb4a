package cdlrm

import (
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Work counts the work that only this system requests.
type Work struct {
	// Counts of a look-ahead window, in its first mini-batch: inputs, distinct rows, rows copied to
	// the caches, copied rows that are fetched again first, and rows that leave the caches.
	Window  int `json:"window,omitempty"`
	Unique  int `json:"unique,omitempty"`
	Cached  int `json:"cached,omitempty"`
	Again   int `json:"again,omitempty"`
	Evicted int `json:"evicted,omitempty"`
	// Counts of any mini-batch: victims fetched, and rows updated, each summed over the GPUs; victims
	// written back; and whether the GPUs average their caches at the end.
	Victims  int  `json:"victims,omitempty"`
	Updated  int  `json:"updated,omitempty"`
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

// Order caches on the GPUs the rows that a window of mini-batches reads (RecSys 2021, Sec. 4 to 6).
// While the GPUs train on a window, a prefetching process lists the rows of the next window and
// copies them to a queue. Meanwhile a reader loads the window after the next. GPU 0 gets the missing rows
// and broadcasts its caches. An eviction process writes leaving rows back. An all-reduce over all
// slots averages the caches.
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

// order is the state of Order.
type order struct {
	*timing.Schedule
	prefetcher *timeline.Resource // processes on the CPU
	evictor    *timeline.Resource
	loaded     timeline.Point // the window to prefetch next
	prefetched timeline.Point // the window to train on next
	written    timeline.Point // all evicted rows and victims so far
	settled    timeline.Point // rows that may be victims
	listed     int            // rows whose gradients the GPUs have not exchanged yet
}

// begin books the caching of the rows of a window.
func (c *order) begin(w timing.Work, next []timing.Work) {
	begun := timeline.Latest(c.prefetched, c.Params)
	c.Mark(phaseLookAhead, begun)
	c.prefetchNext(next, begun)
	c.settled = c.written
	c.Params = c.cache(w, begun)
}

// nextWindow returns the index of the first work that begins a window, or -1.
func nextWindow(works []timing.Work) int {
	return slices.IndexFunc(works, func(w timing.Work) bool { return own(w).Window > 0 })
}

// loadNext books loading the first window that begins in the works.
func (c *order) loadNext(works []timing.Work, after timeline.Point) {
	if i := nextWindow(works); i >= 0 {
		c.loaded = c.LoadAll(own(works[i]).Window, after)
	}
}

// prefetchNext books prefetching the first window that begins in the works. The reader can then
// load the following window.
func (c *order) prefetchNext(works []timing.Work, after timeline.Point) {
	if i := nextWindow(works); i >= 0 {
		begun := timeline.Latest(after, c.loaded)
		c.prefetched = c.prefetch(works[i], begun)
		c.loadNext(works[i+1:], begun)
	}
}

// prefetch books the search for a window's distinct rows, which probes a table for each lookup, and
// the copy of these rows to the queue.
func (c *order) prefetch(w timing.Work, after timeline.Point) timeline.Point {
	s, own := c.Schedule, own(w)
	found := s.Book(c.prefetcher, "list rows", s.Machine.Segregate(own.Window*s.Model.Lookups()), 0, after)
	return c.prefetcher.Book(timeline.Work{
		Label: "copy rows to queue", Time: c.collectTime(own.Unique), Bytes: int64(own.Unique * s.StoredBytes()),
		Data: append(s.Data(timing.HostRead, own.Unique*s.RowBytes()), s.Data(timing.HostWrite, own.Unique*s.RowBytes())...),
	}, found)
}

// collectTime returns the CPU's time to read or write n rows and their states.
func (c *order) collectTime(n int) des.Time {
	if n == 0 {
		return 0
	}
	t := c.RowTime(n)
	return (t + c.States(t)) / 3
}

// cache books the work of the training process before a window: it looks up all rows in the
// occupancy tables, moves evicted rows out of the caches of GPU 0, and moves new rows in.
func (c *order) cache(w timing.Work, after timeline.Point) timeline.Point {
	s, tables, own := c.Schedule, c.Tables(), own(w)
	looked := s.Book(s.Thread, "look up occupancy", s.Machine.Segregate(own.Unique), 0, after)
	taken := s.GPU(s.Access(s.RowMove("collect evicted rows", own.Evicted, tables), timing.GPUCollect, own.Evicted), looked)
	out := s.CopyGPUs("evicted rows", s.ToHost, 1, s.Pieces(), s.WithStates(s.RowsOnOne(own.Evicted)), taken)
	ready := out
	if own.Again > 0 {
		ready = s.BookRows(s.CPU, "fetch rows again", c.collectTime(own.Again), tables*own.Again*s.RowBytes(), timing.HostRead, own.Again, out, c.written)
	}
	c.writeBack(own.Evicted, out)
	in := s.CopyGPUs("cached rows", s.ToGPUs, 1, s.Pieces(), s.WithStates(s.RowsOnOne(own.Cached)), ready)
	cached := s.Wait(s.GPU(s.RowMove("scatter cached rows", own.Cached, tables), in))
	s.Mark(phaseCaching, cached)
	bytes := tables * w.HotTable * s.RowBytes()
	sent := s.Collective(timing.Broadcast, "broadcast caches", s.Machine.Broadcast(bytes, s.GPUs, s.Nodes), bytes, own.Cached*s.RowBytes(), cached)
	s.Mark(phaseBroadcast, sent)
	return sent
}

// writeBack books the eviction process.
func (c *order) writeBack(rows int, after timeline.Point) {
	if rows == 0 {
		return
	}
	bytes := rows * c.StoredBytes()
	c.written = c.BookRows(c.evictor, "write rows back", c.collectTime(rows), bytes, timing.HostWrite, rows, after)
}

// step books a mini-batch. Its inputs have been loaded with its window.
func (c *order) step(w timing.Work) {
	s := c.Schedule
	ready := c.fetchVictims(w, s.Params)
	s.Mark(phaseVictims, ready)
	n := s.Share(w.Inputs)
	trained := s.Wait(s.GPU(append(s.Access(s.Embedding(n), timing.GPUUpdate, s.Share(own(w).Updated)), s.Train(n)...), ready))
	s.Mark(timing.PhaseGPU, trained)
	reduced := s.AllReduce(trained)
	s.Mark(timing.PhaseReduce, reduced)
	ops := append(s.Optimiser(), s.RowStates(s.Share(w.Listed), s.Pieces())...)
	optimised := s.Wait(s.GPU(ops, reduced))
	s.Mark(timing.PhaseOptimiser, optimised)
	end := optimised
	c.listed += w.Listed
	if own(w).Averaged {
		bytes := w.HotTable * s.RowBytes()
		end = s.Collective(timing.AllReduce, "average caches", s.Machine.AllReduce(bytes, s.GPUs, s.Nodes), bytes, c.listed*s.RowBytes(), optimised)
		c.listed = 0
		s.Mark(phaseAverage, end)
	}
	c.flush(w, end)
	s.End(end)
}

// fetchVictims books the rows that the GPUs fetch for a mini-batch, after earlier write-backs.
func (c *order) fetchVictims(w timing.Work, after timeline.Point) timeline.Point {
	victims := own(w).Victims
	if victims == 0 {
		return after
	}
	s, tables := c.Schedule, c.Tables()
	each := s.Share(victims)
	collected := s.BookRows(s.CPU, "collect victims", c.collectTime(victims), victims*s.StoredBytes(), timing.HostRead, victims, after, c.settled)
	there := s.Copy("victims", s.ToGPUs, s.Pieces(), s.WithStates(s.Rows(victims)), collected)
	return s.GPU(s.RowMove("scatter victims", each, tables), there)
}

// flush books the write-back of the victims, each from one GPU.
func (c *order) flush(w timing.Work, after timeline.Point) {
	flushed := own(w).Flushed
	if flushed == 0 {
		return
	}
	s, tables := c.Schedule, c.Tables()
	each := s.Share(flushed)
	taken := s.GPU(s.Access(s.RowMove("collect victims", each, tables), timing.GPUCollect, flushed), after)
	c.writeBack(flushed, s.Copy("updated victims", s.ToHost, s.Pieces(), s.WithStates(s.Rows(flushed)), taken))
	c.settled = c.written
}
