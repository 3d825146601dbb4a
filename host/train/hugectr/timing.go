package hugectr

import "github.com/hotline-rtl/hotline/host/train/timing"

// Work counts what only this system asks of the machine.
type Work struct {
	// Gathered counts the lookups of the GPU that has the most of them, 0 if all GPUs have
	// as many.
	Gathered int `json:"gathered,omitempty"`
}

// phaseReplicate is the time of copies of dense parameters.
const phaseReplicate = "copies of dense parameters"

// Order books the work of the system: each GPU holds a part of the tables and gathers their
// rows for all inputs, then all GPUs exchange them; the dense part is data-parallel. All
// wait for the GPU with the most rows to give.
func Order(s *timing.Schedule, works []timing.Work) {
	for m, w := range works {
		s.Begin(m)
		loaded := s.Load(w.Inputs, false, s.Params)
		s.Mark(timing.PhaseLoad, loaded)
		optimised := s.Wait(s.TrainOwn(w.Inputs, timing.Own[Work](w).Gathered, nil, loaded))
		s.Mark(timing.PhaseOptimiser, optimised)
		s.End(optimised)
	}
}

// ReferenceOrder is [Order] as in the DLRM reference: every mini-batch begins with copies of
// the dense parameters, where the profile has those, and the vectors of each table are dealt
// out by operators of their own.
func ReferenceOrder(s *timing.Schedule, works []timing.Work) {
	for m, w := range works {
		s.Begin(m)
		loaded := s.Load(w.Inputs, false, s.Params)
		s.Mark(timing.PhaseLoad, loaded)
		replicated := s.Replicate(loaded)
		s.Mark(phaseReplicate, replicated)
		optimised := s.Wait(s.TrainOwn(w.Inputs, timing.Own[Work](w).Gathered, s.PooledVectors(), replicated))
		s.Mark(timing.PhaseOptimiser, optimised)
		s.End(optimised)
	}
}
