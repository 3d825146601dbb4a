package timing

import "github.com/hotline-rtl/hotline/host/des/timeline"

// Phases of a GPU-only system: the exchange of pooled vectors among GPUs, and of their
// gradients; and copies of dense parameters.
const (
	phaseAllToAll  = "all-to-all"
	phaseReplicate = "copies of dense parameters"
)

// ModelParallel is the GPU-only baseline, as HugeCTR: each GPU holds a part of the
// tables and gathers their rows for all inputs, then all GPUs exchange them; the
// dense part is data-parallel. The GPU with the most rows to give is waited for.
func ModelParallel(s *Schedule, works []Work) {
	for m, w := range works {
		s.Begin(m)
		loaded := s.Load(w.Inputs, false, s.Params)
		s.Mark(phaseLoad, loaded)
		optimised := s.Wait(s.trainOwn(w, nil, loaded))
		s.Mark(phaseOptimiser, optimised)
		s.End(optimised)
	}
}

// ModelParallelDLRM is [ModelParallel] as the DLRM reference has it: every mini-batch
// begins with copies of the dense parameters, where the profile has those, and the vectors
// of each table are dealt out by operators of their own.
func ModelParallelDLRM(s *Schedule, works []Work) {
	for m, w := range works {
		s.Begin(m)
		loaded := s.Load(w.Inputs, false, s.Params)
		s.Mark(phaseLoad, loaded)
		replicated := s.Replicate(loaded)
		s.Mark(phaseReplicate, replicated)
		optimised := s.Wait(s.trainOwn(w, s.glue(), replicated))
		s.Mark(phaseOptimiser, optimised)
		s.End(optimised)
	}
}

// trainOwn trains on a mini-batch whose rows are in the memory of the GPUs, each of which
// has some of the tables, up to the update of all parameters. What is done to the vectors that
// come from other GPUs is dealt.
func (s *Schedule) trainOwn(w Work, dealt []Op, after timeline.Point) timeline.Point {
	forward, backward := s.ownTables(w)
	pooled := s.GPU(forward, after)
	s.Mark(phaseGPU, pooled)
	exchanged := s.allToAll("pooled vectors", w, pooled)
	s.Mark(phaseAllToAll, exchanged)
	trained := s.GPU(append(dealt, s.Train(s.Share(w.Inputs))...), exchanged)
	s.Mark(phaseGPU, trained)
	returned := s.allToAll("gradients of vectors", w, trained)
	reduced := s.AllReduce(trained)
	s.Mark(phaseAllToAll, returned)
	updated := s.GPU(backward, returned)
	s.Mark(phaseGPU, updated)
	s.Mark(phaseReduce, reduced)
	return s.GPU(s.Optimiser(), updated, reduced)
}

// ownTables are the operators of the tables of a GPU for all inputs: a quarter of
// them to pool their rows, the others for gradients and updates.
func (s *Schedule) ownTables(w Work) (forward, backward []Op) {
	ranks := s.GPUs * s.Nodes
	vectors, rows := s.given(w)
	pieces := ceil(s.pieces(), ranks)
	count := int(s.Machine.GPUTableOps) * pieces
	return []Op{{"pool rows", count / 4, s.Machine.EmbeddingForward(vectors, rows, s.RowBytes())}},
		append([]Op{{"update rows", count - count/4, s.Machine.EmbeddingBackward(vectors, rows, s.RowBytes())}}, s.rowStates(rows, pieces)...)
}

// given is how many rows a GPU looks up for all inputs, and how many vectors it gives:
// each row, if they are dealt out row by row, or one a bag, if a table is on one GPU.
func (s *Schedule) given(w Work) (vectors, rows int) {
	if w.Gathered > 0 {
		return w.Gathered, w.Gathered
	}
	ranks := s.GPUs * s.Nodes
	return ceil(w.Inputs*s.bags(), ranks), ceil(w.Inputs*s.Model.Lookups(), ranks)
}

// allToAll exchanges the vectors that each GPU gives.
func (s *Schedule) allToAll(label string, w Work, after timeline.Point) timeline.Point {
	vectors, _ := s.given(w)
	bytes := vectors * s.RowBytes()
	return book(s.Links, label, s.Machine.AllToAll(bytes, s.GPUs, s.Nodes), bytes, after)
}
