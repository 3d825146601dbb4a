package timing

import (
	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/node/timeline"
)

// Phases of the hybrid system.
const (
	phaseLoad      = "loading inputs"
	phaseGather    = "CPU embedding"
	phaseCopies    = "copies"
	phaseGPU       = "GPU"
	phaseReduce    = "all-reduce"
	phaseOptimiser = "optimiser"
)

// Hybrid is the CPU-GPU baseline: rows in CPU memory, pooled and updated there,
// MLPs data-parallel on the GPUs. Nothing overlaps, as in FAE's release, unless
// the profile is pipelined: then the CPU gathers for the next mini-batch while
// the GPUs train on this one.
func Hybrid(s *schedule, works []Work) {
	h := hybrid{schedule: s}
	for m, w := range works {
		s.begin(m)
		h.step(w, works[m+1:])
	}
}

// HybridFused is [Hybrid] with fused CPU kernels where the profile has those of a
// framework, as the DLRM that Intel has optimised.
func HybridFused(s *schedule, works []Work) {
	if s.Profile.CPU == "stock" {
		s.Profile.CPU = "fused"
	}
	Hybrid(s, works)
}

// hybrid is the hybrid system under way.
type hybrid struct {
	*schedule
	gathered timeline.Point // the pooled vectors of the next mini-batch
	ahead    bool           // there are some
}

func (h *hybrid) step(w Work, next []Work) {
	s := h.schedule
	if !h.ahead {
		h.gathered = h.gather(w, s.params)
	}
	copied := s.transfer("pooled vectors", s.toGPUs, w, h.gathered)
	s.marks.mark(phaseCopies, copied)
	h.ahead = s.Profile.Pipelined && len(next) > 0
	if h.ahead {
		h.gathered = s.bagsForward(next[0], s.load(next[0].Inputs, false, h.gathered))
	}
	trained := s.wait(s.gpu(append(s.glue(), s.train(s.share(w.Inputs))...), copied))
	s.marks.mark(phaseGPU, trained)
	back := s.transfer("gradients", s.toHost, w, trained)
	updated := s.bagsUpdate(w, back)
	reduced := s.allReduce(trained)
	if s.Profile.Replicate {
		reduced = book(s.thread, "replicate", s.Machine.Replicate(s.layerCount(), s.GPUs), s.denseBytes(), reduced)
	}
	optimised := s.wait(s.gpu(s.optimiser(), reduced))
	if h.ahead {
		s.marks.mark(phaseOptimiser, optimised)
		s.end(optimised)
		return
	}
	s.marks.mark(phaseCopies, back)
	s.marks.mark(phaseGather, updated)
	s.marks.mark(phaseOptimiser, optimised)
	s.end(timeline.Latest(updated, optimised))
}

// gather loads inputs and pools their rows.
func (h *hybrid) gather(w Work, after timeline.Point) timeline.Point {
	loaded := h.load(w.Inputs, false, after)
	h.marks.mark(phaseLoad, loaded)
	pooled := h.bagsForward(w, loaded)
	h.marks.mark(phaseGather, pooled)
	return pooled
}

// bagsForward and bagsUpdate book the CPU's part for rows in its memory. Half of
// the calls are forward, and a row is read there, and read and written in the
// update.
func (s *schedule) bagsForward(w Work, after timeline.Point) timeline.Point {
	rows := s.bagRows(w)
	return book(s.cpu, "pool rows", s.rowTime(rows)/3, rows*s.rowBytes(), after)
}

func (s *schedule) bagsUpdate(w Work, after timeline.Point) timeline.Point {
	return s.updateRows(s.bagRows(w), after)
}

// updateRows books the CPU's update of rows, and of their states likewise.
func (s *schedule) updateRows(rows int, after timeline.Point) timeline.Point {
	t, tables := s.rowTime(rows), s.tables()
	return book(s.cpu, "update rows", node.Time(tables)*(t-t/3), 2*tables*rows*s.rowBytes(), after)
}

// bagRows is how many rows the inputs of a server read.
func (s *schedule) bagRows(w Work) int { return s.server(w.Inputs) * s.Model.Lookups() }

// rowTime is the CPU's time to train rows of all tables, forward to update.
func (s *schedule) rowTime(rows int) node.Time {
	switch s.Profile.CPU {
	case "stock":
		return s.Machine.StockBags(s.pieces(), rows, s.Model.Dim)
	case "fused-one-thread":
		return s.Machine.FusedBagsThread(s.pieces(), ceil(rows, s.GPUs), s.Model.Dim)
	}
	return s.Machine.FusedBags(s.pieces(), rows, s.Model.Dim)
}

// transfer copies a vector per bag between host and GPUs, one way.
func (s *schedule) transfer(label string, way *timeline.Resource, w Work, after timeline.Point) timeline.Point {
	bytes := s.share(w.Inputs) * s.bags() * s.rowBytes()
	return s.copy(label, way, s.pieces(), bytes, after)
}

// copy moves bytes, in pieces, between the host and each GPU.
func (s *schedule) copy(label string, way *timeline.Resource, pieces, bytes int, after timeline.Point) timeline.Point {
	return s.copyGPUs(label, way, s.GPUs, pieces, bytes, after)
}

// copyGPUs is copy between the host and each of the first n GPUs.
func (s *schedule) copyGPUs(label string, way *timeline.Resource, n, pieces, bytes int, after timeline.Point) timeline.Point {
	if bytes == 0 {
		return after
	}
	m, gpus := s.Machine, s.Profile.processGPUs(n)
	if s.Profile.Copies == "pinned" {
		return book(way, label, max(m.PinnedCopy(bytes), m.Uplink(bytes*n)), bytes*n, after)
	}
	return s.stage(label, way, n, bytes, book(s.thread, "copy "+label, m.PageableTables(pieces, gpus), 0, after))
}

// stage moves bytes between pageable memory and each of the first n GPUs.
func (s *schedule) stage(label string, way *timeline.Resource, n, bytes int, after timeline.Point) timeline.Point {
	all := bytes * n
	s.staged[way] += int64(all)
	return book(s.staging, label, max(s.Machine.PageableCopies(bytes, s.Profile.processGPUs(n)), s.Machine.Uplink(all)), all, after)
}

// glue are the operators that bring pooled vectors into the dense part and their
// gradients out of it.
func (s *schedule) glue() []op {
	return []op{{"pooled vectors", int(s.Machine.HybridTableOps) * s.pieces(), 0}}
}

// pieces is how many separate ones the bags of an input are for the software.
func (s *schedule) pieces() int {
	if s.Profile.Tables == "together" {
		return 1
	}
	return s.bags()
}
