package timing

import "github.com/hotline-rtl/hotline/host/node/timeline"

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
func ParameterServer(s *schedule, works []Work) {
	for m, w := range works {
		s.begin(m)
		loaded := s.load(w.Inputs, false, s.params)
		s.marks.mark(phaseLoad, loaded)
		listed := s.share(w.Listed) // rows of a worker
		pulled := s.pull(listed, loaded)
		s.marks.mark(phasePull, pulled)
		n := s.share(w.Inputs)
		trained := s.wait(s.gpu(append(s.pooling(n), s.train(n)...), pulled))
		s.marks.mark(phaseGPU, trained)
		pushed := s.copy("gradients", s.toHost, s.pieces(), s.denseBytes()+listed*s.rowBytes(), trained)
		s.marks.mark(phasePush, pushed)
		updated := s.serve(w, pushed)
		s.marks.mark(phaseServer, updated)
		s.end(updated)
	}
}

// pull sends the ids of a worker's rows, and gets their values and the dense
// parameters.
func (s *schedule) pull(listed int, after timeline.Point) timeline.Point {
	asked := s.copy("ids", s.toHost, 1, listed*idBytes, after)
	rows := listed * s.GPUs
	collected := book(s.cpu, "collect rows", s.rowTime(rows)/3, rows*s.rowBytes(), asked)
	return s.copy("parameters", s.toGPUs, s.pieces(), s.denseBytes()+listed*s.rowBytes(), collected)
}

// pooling are the operators of pooling rows that a worker has pulled, and of their
// gradients: those of a table on a GPU less its update.
func (s *schedule) pooling(n int) []op {
	ops := s.embedding(n)
	for i := range ops {
		ops[i].count -= s.pieces()
	}
	return ops
}

// serve updates the rows and, as a stream through memory, the dense parameters: the
// gradients of all workers are read, and each parameter, with its state, is read and
// written.
func (s *schedule) serve(w Work, after timeline.Point) timeline.Point {
	rows := s.updateRows(s.server(w.ColdRows), after)
	bytes := s.denseBytes() * (s.GPUs + 2*s.tables())
	return book(s.cpu, "update dense parameters", s.Machine.Stream(bytes), bytes, rows)
}
