package timing

import "github.com/hotline-rtl/hotline/host/des/timeline"

// phaseAllToAll is the exchange of pooled vectors among GPUs, and of their gradients.
const phaseAllToAll = "all-to-all"

// TrainOwn trains on inputs whose rows are distributed over the memory of the GPUs, up to the
// update of all parameters. Each GPU gathers its rows for all inputs; then all GPUs exchange
// vectors. If tables are distributed row by row, the GPU that gathers most rows is the slowest;
// gathered is its number of rows. gathered is 0 if each GPU has whole tables. The operators dealt
// handle the vectors of other GPUs.
func (s *Schedule) TrainOwn(w Work, gathered int, dealt []Op, after timeline.Point) timeline.Point {
	vectors, rows := gathered, gathered
	if gathered == 0 {
		vectors, rows = s.Share(w.Inputs*s.Bags()), s.Share(w.Inputs*s.Model.Lookups())
	}
	forward, backward := s.ownTables(vectors, rows, s.Share(w.HotRows))
	pooled := s.GPU(forward, after)
	s.Mark(PhaseGPU, pooled)
	exchanged := s.allToAll("pooled vectors", vectors, pooled)
	s.Mark(phaseAllToAll, exchanged)
	trained := s.GPU(append(dealt, s.Train(s.Share(w.Inputs))...), exchanged)
	s.Mark(PhaseGPU, trained)
	returned := s.allToAll("gradients of vectors", vectors, trained)
	reduced := s.AllReduce(trained)
	s.Mark(phaseAllToAll, returned)
	updated := s.GPU(backward, returned)
	s.Mark(PhaseGPU, updated)
	s.Mark(PhaseReduce, reduced)
	return s.GPU(s.Optimiser(), updated, reduced)
}

// ownTables returns the operators of a GPU's tables for all inputs: a quarter pool rows, the others
// compute gradients and update distinct rows.
func (s *Schedule) ownTables(vectors, rows, updated int) (forward, backward []Op) {
	pieces := s.Share(s.Pieces())
	count := int(s.Machine.GPUTableOps) * pieces
	return []Op{{"pool rows", count / 4, s.Machine.EmbeddingForward(vectors, rows, s.RowBytes()), s.rowData(GPURead, rows)}},
		append([]Op{{"update rows", count - count/4, s.Machine.EmbeddingBackward(vectors, rows, s.RowBytes()), s.rowData(GPUUpdate, updated)}}, s.RowStates(rows, pieces)...)
}

// allToAll books the exchange of the vectors that each GPU sends.
func (s *Schedule) allToAll(label string, vectors int, after timeline.Point) timeline.Point {
	bytes := vectors * s.RowBytes()
	return s.Collective(AllToAll, label, s.Machine.AllToAll(bytes, s.GPUs, s.Nodes), bytes, bytes, after)
}
