package timing

// FAE trains on mini-batches of popular inputs on the GPUs alone, and on the
// others as the hybrid system does (VLDB 2022, Sec. 3). Hot rows are exchanged
// after every mini-batch of the first kind, and those that changed are copied
// where the kind changes.
func FAE(s *schedule, works []Work) {
	h := hybrid{schedule: s}
	for m, w := range works {
		s.begin(m)
		s.swap(w)
		if w.Cold {
			h.step(w, nil)
		} else {
			s.hotStep(w)
		}
	}
}

// hotStep trains on a mini-batch whose rows are all on the GPUs.
func (s *schedule) hotStep(w Work) {
	loaded := s.load(w.Inputs, false, s.params)
	s.marks.mark(phaseLoad, loaded)
	n := s.share(w.Inputs)
	trained := s.wait(s.gpu(append(s.embedding(n), s.train(n)...), loaded, s.params))
	s.marks.mark(phaseGPU, trained)
	reduced := s.allReduce(trained)
	if s.Profile.Replicate {
		reduced = book(s.thread, "replicate", s.Machine.Replicate(s.layerCount(), s.GPUs), s.denseBytes(), reduced)
	}
	s.marks.mark(phaseReduce, reduced)
	exchanged := s.exchangeHot(w, reduced)
	s.marks.mark(phaseExchange, exchanged)
	optimised := s.wait(s.gpu(append(s.optimiser(), s.rowStates(ceil(w.Listed, s.GPUs*s.Nodes), s.pieces())...), exchanged))
	s.marks.mark(phaseOptimiser, optimised)
	s.end(optimised)
}

// swap copies hot rows from GPU 0 to the host, or from there to all GPUs: those that
// changed, which are collected and scattered.
func (s *schedule) swap(w Work) {
	moved, tables := s.params, s.tables()
	if out := w.Demoted * tables * s.rowBytes(); out > 0 {
		collected := s.gpu(s.rowMove("collect hot rows", w.Demoted, tables), moved)
		copied := s.copyGPUs("hot rows to host", s.toHost, 1, tables, out, collected)
		moved = book(s.cpu, "scatter rows", s.Machine.Stream(2*out), out, copied)
	}
	if in := w.Promoted * tables * s.rowBytes(); in > 0 {
		collected := book(s.cpu, "collect rows", s.Machine.Stream(2*in), in, moved)
		copied := s.copyGPUs("hot rows to GPUs", s.toGPUs, s.GPUs, tables, in, collected)
		moved = s.wait(s.gpu(s.rowMove("scatter hot rows", w.Promoted, tables), copied))
	}
	s.params = moved
	s.marks.mark(phaseMove, moved)
}
