package timing

import "github.com/hotline-rtl/hotline/host/des/timeline"

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
func StaticCache(s *Schedule, works []Work) {
	for m, w := range works {
		s.Begin(m)
		loaded := s.Load(w.Inputs, false, s.Params)
		s.Mark(phaseLoad, loaded)
		n := s.Share(w.Inputs)
		sent := s.Copy("ids", s.ToGPUs, 1, n*s.Model.Lookups()*idBytes, loaded)
		split := s.Wait(s.GPU(s.splitHits(n), sent))
		back := s.Copy("missed ids", s.ToHost, 1, s.Share(w.Missed)*idBytes, split)
		s.Mark(phaseSplit, back)
		missed := s.server(w.Missed)
		gathered := back
		if missed > 0 {
			gathered = book(s.CPU, "gather missed rows", s.rowTime(missed)/3, missed*s.RowBytes(), back)
		}
		s.Mark(phaseMiss, gathered)
		vectors := w.ColdCopies
		if s.Profile.Misses == "pooled" {
			vectors = w.MissedBags
		}
		copied := s.Copy("missed rows", s.ToGPUs, s.pieces(), s.Share(vectors)*s.RowBytes(), gathered)
		s.Mark(phaseCopies, copied)
		trained := s.Wait(s.GPU(append(s.Embedding(n), s.Train(n)...), copied))
		s.Mark(phaseGPU, trained)
		s.updateCached(w, missed, trained)
	}
}

// splitHits are the operators that tell hits from misses, one a table.
func (s *Schedule) splitHits(n int) []Op {
	ids := float64(n * s.Model.Lookups())
	return []Op{{"hits", s.pieces(), s.Machine.Elementwise(ids, 2*idBytes*ids)}}
}

// updateCached ends a mini-batch: cached rows are updated on the GPUs, missed ones
// on the CPU, from the gradients of the vectors that they are in.
func (s *Schedule) updateCached(w Work, missed int, trained timeline.Point) {
	reduced := s.Replicate(s.AllReduce(trained))
	s.Mark(phaseReduce, reduced)
	exchanged := s.ExchangeHot(w, reduced)
	s.Mark(phaseExchange, exchanged)
	optimised := s.Wait(s.GPU(append(s.Optimiser(), s.RowUpdate(w.HotRows)...), exchanged))
	s.Mark(phaseOptimiser, optimised)
	back := s.Copy("gradients of misses", s.ToHost, s.pieces(), s.Share(w.MissedBags)*s.RowBytes(), optimised)
	s.Mark(phaseCopies, back)
	if missed > 0 {
		back = s.updateRows(missed, back)
	}
	s.Mark(phaseMiss, back)
	s.End(back)
}
