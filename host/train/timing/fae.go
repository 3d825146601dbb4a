package timing

// FAE trains on mini-batches of popular inputs on the GPUs alone, and on the
// others as the hybrid system does (VLDB 2022, Sec. 3). Hot rows are exchanged
// after every mini-batch of the first kind, and those that changed are copied
// where the kind changes.
func FAE(s *Schedule, works []Work) {
	h := hybrid{Schedule: s}
	for m, w := range works {
		s.Begin(m)
		s.swap(w)
		if w.Cold {
			h.step(w, nil)
		} else {
			s.hotStep(w)
		}
	}
}

// hotStep trains on a mini-batch whose rows are all on the GPUs.
func (s *Schedule) hotStep(w Work) {
	loaded := s.Load(w.Inputs, false, s.Params)
	s.Mark(phaseLoad, loaded)
	n := s.Share(w.Inputs)
	trained := s.Wait(s.GPU(append(s.Embedding(n), s.Train(n)...), loaded, s.Params))
	s.Mark(phaseGPU, trained)
	reduced := s.Replicate(s.AllReduce(trained))
	s.Mark(phaseReduce, reduced)
	exchanged := s.ExchangeHot(w, reduced)
	s.Mark(phaseExchange, exchanged)
	optimised := s.Wait(s.GPU(append(s.Optimiser(), s.rowStates(ceil(w.Listed, s.GPUs*s.Nodes), s.pieces())...), exchanged))
	s.Mark(phaseOptimiser, optimised)
	s.End(optimised)
}

// swap copies hot rows from GPU 0 to the host, or from there to all GPUs: those that
// changed, which are collected and scattered.
func (s *Schedule) swap(w Work) {
	moved, tables := s.Params, s.Tables()
	if out := w.Demoted * tables * s.RowBytes(); out > 0 {
		collected := s.GPU(s.RowMove("collect hot rows", w.Demoted, tables), moved)
		copied := s.CopyGPUs("hot rows to host", s.ToHost, 1, tables, out, collected)
		moved = book(s.CPU, "scatter rows", s.Machine.Stream(2*out), out, copied)
	}
	if in := w.Promoted * tables * s.RowBytes(); in > 0 {
		collected := book(s.CPU, "collect rows", s.Machine.Stream(2*in), in, moved)
		copied := s.CopyGPUs("hot rows to GPUs", s.ToGPUs, s.GPUs, tables, in, collected)
		moved = s.Wait(s.GPU(s.RowMove("scatter hot rows", w.Promoted, tables), copied))
	}
	s.Params = moved
	s.Mark(phaseMove, moved)
}
