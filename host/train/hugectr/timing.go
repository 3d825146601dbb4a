package hugectr

import "github.com/hotline-rtl/hotline/host/train/timing"

// Work counts the work that only this system requests.
type Work struct {
	// Gathered is the maximum number of lookups of a GPU, or 0 if all GPUs have equally many.
	Gathered int `json:"gathered,omitempty"`
}

// phaseReplicate is the time of copies of dense parameters.
const phaseReplicate = "copies of dense parameters"

// Order books the work of the system. Each GPU holds a part of the tables and gathers its rows for
// all inputs; then all GPUs exchange rows. The dense part is data-parallel. All GPUs wait for the
// GPU that sends the most rows.
func Order(s *timing.Schedule, works []timing.Work) {
	for m, w := range works {
		s.Begin(m)
		loaded := s.Load(w.Inputs, false, s.Params)
		s.Mark(timing.PhaseLoad, loaded)
		optimised := s.Wait(s.TrainOwn(w, timing.Own[Work](w).Gathered, nil, loaded))
		s.Mark(timing.PhaseOptimiser, optimised)
		s.End(optimised)
	}
}

// ReferenceOrder is like [Order], but follows the DLRM reference: every mini-batch starts with
// copies of the dense parameters, if the profile has them, and separate operators distribute the
// vectors of each table.
func ReferenceOrder(s *timing.Schedule, works []timing.Work) {
	for m, w := range works {
		s.Begin(m)
		loaded := s.Load(w.Inputs, false, s.Params)
		s.Mark(timing.PhaseLoad, loaded)
		replicated := s.Replicate(loaded)
		s.Mark(phaseReplicate, replicated)
		optimised := s.Wait(s.TrainOwn(w, timing.Own[Work](w).Gathered, s.PooledVectors(), replicated))
		s.Mark(timing.PhaseOptimiser, optimised)
		s.End(optimised)
	}
}
