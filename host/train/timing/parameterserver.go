package timing

import "github.com/hotline-rtl/hotline/host/des/timeline"

// Phases of a parameter server.
const (
	phasePull   = "pull"
	phasePush   = "push"
	phaseServer = "server's update"
)

// ParameterServer is a synchronous parameter server, as XDL (compared with in VLDB
// 2022, Sec. 5, and ISCA 2024, Fig. 19): a worker on each GPU pulls the dense
// parameters and the rows of its inputs, and pushes their gradients; the server, in
// host memory, updates. Nothing overlaps.
func ParameterServer(s *Schedule, works []Work) {
	for m, w := range works {
		s.Begin(m)
		loaded := s.Load(w.Inputs, false, s.Params)
		s.Mark(phaseLoad, loaded)
		listed := s.Share(w.Listed) // rows of a worker
		pulled := s.pull(listed, loaded)
		s.Mark(phasePull, pulled)
		n := s.Share(w.Inputs)
		trained := s.Wait(s.GPU(append(s.pooling(n), s.Train(n)...), pulled))
		s.Mark(phaseGPU, trained)
		pushed := s.Copy("gradients", s.ToHost, s.pieces(), s.denseBytes()+listed*s.RowBytes(), trained)
		s.Mark(phasePush, pushed)
		updated := s.serve(w, pushed)
		s.Mark(phaseServer, updated)
		s.End(updated)
	}
}

// pull sends the ids of a worker's rows, and gets their values and the dense
// parameters.
func (s *Schedule) pull(listed int, after timeline.Point) timeline.Point {
	asked := s.Copy("ids", s.ToHost, 1, listed*idBytes, after)
	rows := listed * s.GPUs
	collected := book(s.CPU, "collect rows", s.rowTime(rows)/3, rows*s.RowBytes(), asked)
	return s.Copy("parameters", s.ToGPUs, s.pieces(), s.denseBytes()+listed*s.RowBytes(), collected)
}

// pooling are the operators of pooling rows that a worker has pulled, and of their
// gradients: those of a table on a GPU less its update.
func (s *Schedule) pooling(n int) []Op {
	ops := s.Embedding(n)
	for i := range ops {
		ops[i].Count -= s.pieces()
	}
	return ops
}

// serve updates the rows and, as a stream through memory, the dense parameters: the
// gradients of all workers are read, and each parameter, with its state, is read and
// written.
func (s *Schedule) serve(w Work, after timeline.Point) timeline.Point {
	rows := s.updateRows(s.server(w.ColdRows), after)
	bytes := s.denseBytes() * (s.GPUs + 2*s.Tables())
	return book(s.CPU, "update dense parameters", s.Machine.Stream(bytes), bytes, rows)
}
