package xdl

import (
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Phases of a parameter server.
const (
	phasePull   = "pull"
	phasePush   = "push"
	phaseServer = "server's update"
)

// Order books the work of a synchronous parameter server (a baseline in VLDB 2022, Sec. 5, and ISCA
// 2024, Fig. 19). A worker on each GPU pulls the dense parameters and the rows of its inputs, and
// pushes their gradients; the server updates in host memory. Nothing overlaps.
func Order(s *timing.Schedule, works []timing.Work) {
	for m, w := range works {
		s.Begin(m)
		loaded := s.Load(w.Inputs, false, s.Params)
		s.Mark(timing.PhaseLoad, loaded)
		pulled := pull(s, w.Listed, loaded)
		s.Mark(phasePull, pulled)
		n := s.Share(w.Inputs)
		trained := s.Wait(s.GPU(append(pooling(s, n), s.Train(n)...), pulled))
		s.Mark(timing.PhaseGPU, trained)
		pushed := s.Copy("gradients", s.ToHost, s.Pieces(), s.Dense().And(s.Rows(w.Listed)), trained)
		s.Mark(phasePush, pushed)
		updated := serve(s, w, pushed)
		s.Mark(phaseServer, updated)
		s.End(updated)
	}
}

// pull books sending the ids of a worker's rows, and getting the rows and the dense parameters. listed
// is the number of rows of all workers.
func pull(s *timing.Schedule, listed int, after timeline.Point) timeline.Point {
	asked := s.Copy("ids", s.ToHost, 1, s.IDs(listed), after)
	rows := s.Share(listed) * s.GPUs
	collected := s.ReadRows("collect rows", rows, asked)
	return s.Copy("parameters", s.ToGPUs, s.Pieces(), s.Dense().And(s.Rows(listed)), collected)
}

// pooling returns the operators of pooling rows that a worker has pulled, and of their gradients:
// the operators of a table on a GPU without its update.
func pooling(s *timing.Schedule, n int) []timing.Op {
	ops := s.Embedding(n)
	for i := range ops {
		ops[i].Count -= s.Pieces()
	}
	return ops
}

// serve books the update of the rows and the dense parameters. Dense parameters stream through
// memory: the server reads the gradients of all workers, and reads and writes each parameter with
// its state.
func serve(s *timing.Schedule, w timing.Work, after timeline.Point) timeline.Point {
	rows := s.UpdateRows(s.ServerShare(w.ColdRows), after)
	bytes := s.DenseBytes() * (s.GPUs + 2*s.Tables())
	return s.Book(s.CPU, "update dense parameters", s.Machine.Stream(bytes), bytes, rows)
}
