package timing

import "github.com/hotline-rtl/hotline/host/node/timeline"

// phaseAllToAll is the exchange of pooled vectors among GPUs, and of their
// gradients.
const phaseAllToAll = "all-to-all"

// ModelParallel is the GPU-only baseline, as HugeCTR: each GPU holds a part of the
// tables and gathers their rows for all inputs, then all GPUs exchange them; the
// dense part is data-parallel. The GPU with the most rows to give is waited for.
func ModelParallel(s *schedule, works []Work) {
	for m, w := range works {
		s.begin(m)
		loaded := s.load(w.Inputs, false, s.params)
		s.marks.mark(phaseLoad, loaded)
		optimised := s.wait(s.trainOwn(w, loaded))
		s.marks.mark(phaseOptimiser, optimised)
		s.end(optimised)
	}
}

// trainOwn trains on a mini-batch whose rows are in the memory of the GPUs, each of which
// has some of the tables, up to the update of all parameters.
func (s *schedule) trainOwn(w Work, after timeline.Point) timeline.Point {
	forward, backward := s.ownTables(w)
	pooled := s.gpu(forward, after)
	s.marks.mark(phaseGPU, pooled)
	exchanged := s.allToAll("pooled vectors", w, pooled)
	s.marks.mark(phaseAllToAll, exchanged)
	trained := s.gpu(s.train(s.share(w.Inputs)), exchanged)
	s.marks.mark(phaseGPU, trained)
	returned := s.allToAll("gradients of vectors", w, trained)
	reduced := s.allReduce(trained)
	s.marks.mark(phaseAllToAll, returned)
	updated := s.gpu(backward, returned)
	s.marks.mark(phaseGPU, updated)
	s.marks.mark(phaseReduce, reduced)
	return s.gpu(s.optimiser(), updated, reduced)
}

// ownTables are the operators of the tables of a GPU for all inputs: a quarter of
// them to pool their rows, the others for gradients and updates.
func (s *schedule) ownTables(w Work) (forward, backward []op) {
	ranks := s.GPUs * s.Nodes
	vectors, rows := s.given(w)
	pieces := ceil(s.pieces(), ranks)
	count := int(s.Machine.GPUTableOps) * pieces
	return []op{{"pool rows", count / 4, s.Machine.EmbeddingForward(vectors, rows, s.rowBytes())}},
		append([]op{{"update rows", count - count/4, s.Machine.EmbeddingBackward(vectors, rows, s.rowBytes())}}, s.rowStates(rows, pieces)...)
}

// given is how many rows a GPU looks up for all inputs, and how many vectors it gives:
// each row, if they are dealt out row by row, or one a bag, if a table is on one GPU.
func (s *schedule) given(w Work) (vectors, rows int) {
	if w.Gathered > 0 {
		return w.Gathered, w.Gathered
	}
	ranks := s.GPUs * s.Nodes
	return ceil(w.Inputs*s.bags(), ranks), ceil(w.Inputs*s.Model.Lookups(), ranks)
}

// allToAll exchanges the vectors that each GPU gives.
func (s *schedule) allToAll(label string, w Work, after timeline.Point) timeline.Point {
	vectors, _ := s.given(w)
	bytes := vectors * s.rowBytes()
	return book(s.links, label, s.Machine.AllToAll(bytes, s.GPUs, s.Nodes), bytes, after)
}
