package staticcache

import (
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Work counts the work that only this system requests.
type Work struct {
	Missed     int `json:"missed,omitempty"`      // lookups that miss the cache
	MissedBags int `json:"missed_bags,omitempty"` // bags with such a lookup
	// Counted is the number of inputs whose lookups are counted before the first mini-batch.
	Counted int `json:"counted,omitempty"`
}

// Phases of a static cache.
const (
	phaseSplit = "hits and misses"
	phaseMiss  = "CPU embedding of misses"
)

// Order books the work of ScratchPipe's baseline with a cache (ISCA 2022, Fig. 4b). The GPUs
// determine which lookups hit the cache; the CPU gathers and updates the missing rows. Nothing
// overlaps. Before the first mini-batch, the CPU counts the lookups of the sample, and the rows of
// the cache move to the GPUs.
func Order(s *timing.Schedule, works []timing.Work) {
	for m, w := range works {
		s.Begin(m)
		own := timing.Own[Work](w)
		counted := s.ScanInputs("count lookups", own.Counted, s.Params)
		s.Mark(timing.PhaseProfile, counted)
		loaded := s.Load(w.Inputs, false, s.MoveRows(w, counted))
		s.Mark(timing.PhaseLoad, loaded)
		n := s.Share(w.Inputs)
		sent := s.Copy("ids", s.ToGPUs, 1, s.IDs(w.Inputs*s.Model.Lookups()), loaded)
		split := s.Wait(s.GPU(splitHits(s, n), sent))
		back := s.Copy("missed ids", s.ToHost, 1, s.IDs(own.Missed), split)
		s.Mark(phaseSplit, back)
		rows, vectors := w.ColdCopies, w.ColdCopies
		if s.Profile.Misses == "pooled" {
			rows, vectors = own.Missed, own.MissedBags
		}
		gathered := back
		if rows > 0 {
			gathered = s.ReadRows("gather missed rows", s.ServerShare(rows), back)
		}
		s.Mark(phaseMiss, gathered)
		copied := s.Copy("missed rows", s.ToGPUs, s.Pieces(), s.Rows(vectors), gathered)
		s.Mark(timing.PhaseCopies, copied)
		trained := s.Wait(s.GPU(append(s.Embedding(n), s.Train(n)...), copied))
		s.Mark(timing.PhaseGPU, trained)
		updateCached(s, w, trained)
	}
}

// splitHits returns the operators that separate hits from misses, one per table.
func splitHits(s *timing.Schedule, n int) []timing.Op {
	ids := float64(n * s.Model.Lookups())
	return []timing.Op{{Label: "hits", Count: s.Pieces(), Kernels: s.Machine.Elementwise(ids, 2*timing.IDBytes*ids)}}
}

// updateCached ends a mini-batch. The GPUs update cached rows. The CPU updates missed rows, from
// the gradients of their pooled vectors.
func updateCached(s *timing.Schedule, w timing.Work, trained timeline.Point) {
	own := timing.Own[Work](w)
	reduced := s.Replicate(s.AllReduce(trained))
	s.Mark(timing.PhaseReduce, reduced)
	exchanged := s.ExchangeHot(w, reduced)
	s.Mark(timing.PhaseExchange, exchanged)
	optimised := s.Wait(s.GPU(append(s.Optimiser(), s.RowUpdate(w.HotRows)...), exchanged))
	s.Mark(timing.PhaseOptimiser, optimised)
	back := s.Copy("gradients of misses", s.ToHost, s.Pieces(), s.Rows(own.MissedBags), optimised)
	s.Mark(timing.PhaseCopies, back)
	if missed := s.ServerShare(own.Missed); missed > 0 {
		back = s.UpdateLookups(missed, s.ServerShare(w.ColdRows), back)
	}
	s.Mark(phaseMiss, back)
	s.End(back)
}
