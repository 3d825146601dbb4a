package timing

import "github.com/hotline-rtl/hotline/host/node/timeline"

// Phases of a static cache.
const (
	phaseSplit = "hits and misses"
	phaseMiss  = "CPU embedding of misses"
)

// idBytes is the size of the id of a row.
const idBytes = 8

// StaticCache is ScratchPipe's baseline with a cache (ISCA 2022, Fig. 4b): the GPUs
// tell which lookups hit their cache, the CPU gathers the rows of the others and
// updates them. Nothing overlaps, and how the cache is filled is left out.
func StaticCache(s *schedule, works []Work) {
	for m, w := range works {
		s.begin(m)
		loaded := s.load(w.Inputs, false, s.params)
		s.marks.mark(phaseLoad, loaded)
		n := s.share(w.Inputs)
		sent := s.copy("ids", s.toGPUs, 1, n*s.Model.Lookups()*idBytes, loaded)
		split := s.wait(s.gpu(s.splitHits(n), sent))
		back := s.copy("missed ids", s.toHost, 1, s.share(w.Missed)*idBytes, split)
		s.marks.mark(phaseSplit, back)
		missed := s.server(w.Missed)
		gathered := back
		if missed > 0 {
			gathered = book(s.cpu, "gather missed rows", s.rowTime(missed)/3, missed*s.rowBytes(), back)
		}
		s.marks.mark(phaseMiss, gathered)
		copied := s.copy("missed rows", s.toGPUs, s.pieces(), s.share(w.ColdCopies)*s.rowBytes(), gathered)
		s.marks.mark(phaseCopies, copied)
		trained := s.wait(s.gpu(append(s.embedding(n), s.train(n)...), copied))
		s.marks.mark(phaseGPU, trained)
		s.updateCached(w, missed, trained)
	}
}

// splitHits are the operators that tell hits from misses, one a table.
func (s *schedule) splitHits(n int) []op {
	ids := float64(n * s.Model.Lookups())
	return []op{{"hits", s.pieces(), s.Machine.Elementwise(ids, 2*idBytes*ids)}}
}

// updateCached ends a mini-batch: cached rows are updated on the GPUs, missed ones
// on the CPU, from the gradients of the vectors that they are in.
func (s *schedule) updateCached(w Work, missed int, trained timeline.Point) {
	reduced := s.allReduce(trained)
	if s.Profile.Replicate {
		reduced = book(s.thread, "replicate", s.Machine.Replicate(s.layerCount(), s.GPUs), s.denseBytes(), reduced)
	}
	s.marks.mark(phaseReduce, reduced)
	exchanged := s.exchangeHot(w, reduced)
	s.marks.mark(phaseExchange, exchanged)
	optimised := s.wait(s.gpu(append(s.optimiser(), s.rowUpdate(w.HotRows)...), exchanged))
	s.marks.mark(phaseOptimiser, optimised)
	back := s.copy("gradients of misses", s.toHost, s.pieces(), s.share(w.MissedBags)*s.rowBytes(), optimised)
	s.marks.mark(phaseCopies, back)
	if missed > 0 {
		back = s.updateRows(missed, back)
	}
	s.marks.mark(phaseMiss, back)
	s.end(back)
}
