package timing

// FAE trains on mini-batches of popular inputs on the GPUs alone, and on the
// others as the hybrid system does (VLDB 2022, Sec. 3). Hot rows are exchanged
// after every mini-batch of the first kind, and copied where the kind changes.
func FAE(s *schedule, works []Work) {
	h := hybrid{schedule: s}
	cold := true
	for m, w := range works {
		s.begin(m)
		if w.Cold != cold {
			s.swap(w)
			cold = w.Cold
		}
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

// swap copies the hot rows that changed from host to GPUs or back.
func (s *schedule) swap(w Work) {
	way := s.toGPUs
	if w.Cold {
		way = s.toHost
	}
	s.params = s.copy("hot rows", way, 1, w.HotRows*s.rowBytes(), s.params)
	s.marks.mark(phaseMove, s.params)
}
