package timing

import "github.com/hotline-rtl/hotline/host/node/timeline"

// phaseAllToAll is the exchange of pooled vectors among GPUs, and of their
// gradients.
const phaseAllToAll = "all-to-all"

// ModelParallel is the GPU-only baseline, as HugeCTR: each GPU holds some of the
// tables and pools their rows for all inputs, then all GPUs exchange the vectors;
// the dense part is data-parallel.
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
	n := s.share(w.Inputs)
	forward, backward := s.ownTables(w.Inputs)
	pooled := s.gpu(forward, after)
	s.marks.mark(phaseGPU, pooled)
	exchanged := s.allToAll("pooled vectors", n, pooled)
	s.marks.mark(phaseAllToAll, exchanged)
	trained := s.gpu(s.train(n), exchanged)
	s.marks.mark(phaseGPU, trained)
	returned := s.allToAll("gradients of vectors", n, trained)
	reduced := s.allReduce(trained)
	s.marks.mark(phaseAllToAll, returned)
	updated := s.gpu(backward, returned)
	s.marks.mark(phaseGPU, updated)
	s.marks.mark(phaseReduce, reduced)
	return s.gpu(s.optimiser(), updated, reduced)
}

// ownTables are the operators of the tables of a GPU for all inputs: a quarter of
// them to pool their rows, the others for gradients and updates.
func (s *schedule) ownTables(inputs int) (forward, backward []op) {
	ranks := s.GPUs * s.Nodes
	bags, rows := ceil(inputs*s.bags(), ranks), ceil(inputs*s.Model.Lookups(), ranks)
	pieces := ceil(s.pieces(), ranks)
	count := int(s.Machine.GPUTableOps) * pieces
	return []op{{"pool rows", count / 4, s.Machine.EmbeddingForward(bags, rows, s.rowBytes())}},
		append([]op{{"update rows", count - count/4, s.Machine.EmbeddingBackward(bags, rows, s.rowBytes())}}, s.rowStates(rows, pieces)...)
}

// allToAll exchanges a vector per bag of the n inputs of each GPU.
func (s *schedule) allToAll(label string, n int, after timeline.Point) timeline.Point {
	bytes := n * s.bags() * s.rowBytes()
	return book(s.links, label, s.Machine.AllToAll(bytes, s.GPUs, s.Nodes), bytes, after)
}
