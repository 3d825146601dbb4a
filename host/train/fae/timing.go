package fae

import "github.com/hotline-rtl/hotline/host/train/timing"

// Work counts the work that only this system requests.
type Work struct {
	Cold bool `json:"cold,omitempty"` // the mini-batch has inputs that are not popular
	// The static phase, in the first mini-batch: inputs whose lookups are logged, rows of the log
	// that are scanned for all thresholds and for the final one, and inputs that are classified.
	Logged     int `json:"logged,omitempty"`
	Scanned    int `json:"scanned,omitempty"`
	Classified int `json:"classified,omitempty"`
}

// Order trains on mini-batches of popular inputs on the GPUs only, and on the other mini-batches
// with CPU and GPUs (VLDB 2022, Sec. 3). Hot rows are exchanged after every popular mini-batch.
// Where the kind of mini-batch changes, the changed hot rows are copied. The static phase (Sec. 4.1
// and 4.2) precedes the first mini-batch.
func Order(s *timing.Schedule, works []timing.Work) {
	cold := timing.CPUBags{Schedule: s}
	for m, w := range works {
		s.Begin(m)
		prepare(s, timing.Own[Work](w))
		swap(s, w)
		if timing.Own[Work](w).Cold {
			cold.Step(w, nil)
		} else {
			hotStep(s, w)
		}
	}
}

// prepare books the static phase: the CPU logs the lookups of the sample, scans the log for each
// threshold, and classifies rows and inputs.
func prepare(s *timing.Schedule, w Work) {
	logged := s.ScanInputs("log lookups", w.Logged, s.Params)
	bytes := countBytes * w.Scanned
	scanned := s.Book(s.CPU, "scan the log", s.Machine.Stream(bytes), bytes, logged)
	s.Params = s.ScanInputs("classify inputs", w.Classified, scanned)
	s.Mark(timing.PhaseProfile, s.Params)
}

// countBytes is the size of a row's count in the log, which is read sequentially.
const countBytes = 4

// hotStep trains on a mini-batch whose rows are all on the GPUs.
func hotStep(s *timing.Schedule, w timing.Work) {
	loaded := s.Load(w.Inputs, false, s.Params)
	s.Mark(timing.PhaseLoad, loaded)
	n := s.Share(w.Inputs)
	trained := s.Wait(s.GPU(append(s.Access(s.Embedding(n), timing.GPUUpdate, w.HotRows), s.Train(n)...), loaded, s.Params))
	s.Mark(timing.PhaseGPU, trained)
	reduced := s.Replicate(s.AllReduce(trained))
	s.Mark(timing.PhaseReduce, reduced)
	exchanged := s.ExchangeHot(w, reduced)
	s.Mark(timing.PhaseExchange, exchanged)
	optimised := s.Wait(s.GPU(append(s.Optimiser(), s.RowStates(s.Share(w.Listed), s.Pieces())...), exchanged))
	s.Mark(timing.PhaseOptimiser, optimised)
	s.End(optimised)
}

// swap copies the changed hot rows from GPU 0 to the host, or from the host to all GPUs. The rows
// are collected before the copy and scattered after it.
func swap(s *timing.Schedule, w timing.Work) {
	moved, tables := s.Params, s.Tables()
	if out := s.WithStates(s.RowsOnOne(w.Demoted)); out.All > 0 {
		collected := s.GPU(s.Access(s.RowMove("collect hot rows", w.Demoted, tables), timing.GPUCollect, w.Demoted), moved)
		copied := s.CopyGPUs("hot rows to host", s.ToHost, 1, tables, out, collected)
		moved = s.BookRows(s.CPU, "scatter rows", s.Machine.Stream(2*out.All), out.All, timing.HostWrite, w.Demoted, copied)
	}
	if in := s.WithStates(s.RowsOnEach(w.Promoted)); in.All > 0 {
		collected := s.BookRows(s.CPU, "collect rows", s.Machine.Stream(2*in.Most), in.Most, timing.HostRead, w.Promoted, moved)
		copied := s.Copy("hot rows to GPUs", s.ToGPUs, tables, in, collected)
		moved = s.Wait(s.GPU(s.RowMove("scatter hot rows", w.Promoted, tables), copied))
	}
	s.Params = moved
	s.Mark(timing.PhaseMove, moved)
}
