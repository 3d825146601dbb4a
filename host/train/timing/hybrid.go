package timing

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
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
func Hybrid(s *Schedule, works []Work) {
	h := hybrid{Schedule: s}
	for m, w := range works {
		s.Begin(m)
		h.step(w, works[m+1:])
	}
}

// HybridFused is [Hybrid] with fused CPU kernels where the profile has those of a
// framework, as the DLRM that Intel has optimised.
func HybridFused(s *Schedule, works []Work) {
	if s.Profile.CPU == "stock" {
		s.Profile.CPU = "fused"
	}
	Hybrid(s, works)
}

// hybrid is the hybrid system under way.
type hybrid struct {
	*Schedule
	gathered timeline.Point // the pooled vectors of the next mini-batch
	ahead    bool           // there are some
}

func (h *hybrid) step(w Work, next []Work) {
	s := h.Schedule
	if !h.ahead {
		h.gathered = h.gather(w, s.Params)
	}
	copied := s.transfer("pooled vectors", s.ToGPUs, w, h.gathered)
	s.Mark(phaseCopies, copied)
	h.ahead = s.Profile.Pipelined && len(next) > 0
	if h.ahead {
		h.gathered = s.bagsForward(next[0], s.Load(next[0].Inputs, false, h.gathered))
	}
	trained := s.Wait(s.GPU(append(s.glue(), s.Train(s.Share(w.Inputs))...), copied))
	s.Mark(phaseGPU, trained)
	back := s.transfer("gradients", s.ToHost, w, trained)
	updated := s.bagsUpdate(w, back)
	reduced := s.Replicate(s.AllReduce(trained))
	optimised := s.Wait(s.GPU(s.Optimiser(), reduced))
	if h.ahead {
		s.Mark(phaseOptimiser, optimised)
		s.End(optimised)
		return
	}
	s.Mark(phaseCopies, back)
	s.Mark(phaseGather, updated)
	s.Mark(phaseOptimiser, optimised)
	s.End(timeline.Latest(updated, optimised))
}

// gather loads inputs and pools their rows.
func (h *hybrid) gather(w Work, after timeline.Point) timeline.Point {
	loaded := h.Load(w.Inputs, false, after)
	h.Mark(phaseLoad, loaded)
	pooled := h.bagsForward(w, loaded)
	h.Mark(phaseGather, pooled)
	return pooled
}

// bagsForward and bagsUpdate book the CPU's part for rows in its memory. Half of
// the calls are forward, and a row is read there, and read and written in the
// update.
func (s *Schedule) bagsForward(w Work, after timeline.Point) timeline.Point {
	rows := s.bagRows(w)
	return book(s.CPU, "pool rows", s.rowTime(rows)/3, rows*s.RowBytes(), after)
}

func (s *Schedule) bagsUpdate(w Work, after timeline.Point) timeline.Point {
	return s.updateRows(s.bagRows(w), after)
}

// updateRows books the CPU's update of rows, and of their states likewise.
func (s *Schedule) updateRows(rows int, after timeline.Point) timeline.Point {
	t, tables := s.rowTime(rows), s.Tables()
	return book(s.CPU, "update rows", des.Time(tables)*(t-t/3), 2*tables*rows*s.RowBytes(), after)
}

// bagRows is how many rows the inputs of a server read.
func (s *Schedule) bagRows(w Work) int { return s.server(w.Inputs) * s.Model.Lookups() }

// rowTime is the CPU's time to train rows of all tables, forward to update.
func (s *Schedule) rowTime(rows int) des.Time {
	switch s.Profile.CPU {
	case "stock":
		return s.Machine.StockBags(s.pieces(), rows, s.Model.Dim)
	case "fused-one-thread":
		return s.Machine.FusedBagsThread(s.pieces(), ceil(rows, s.GPUs), s.Model.Dim)
	}
	return s.Machine.FusedBags(s.pieces(), rows, s.Model.Dim)
}

// transfer copies a vector per bag between host and GPUs, one way.
func (s *Schedule) transfer(label string, way *timeline.Resource, w Work, after timeline.Point) timeline.Point {
	bytes := s.Share(w.Inputs) * s.bags() * s.RowBytes()
	return s.Copy(label, way, s.pieces(), bytes, after)
}

// Copy moves bytes, in pieces, between the host and each GPU: to it, if way is ToGPUs,
// or to the host. The profile says how.
func (s *Schedule) Copy(label string, way *timeline.Resource, pieces, bytes int, after timeline.Point) timeline.Point {
	return s.CopyGPUs(label, way, s.GPUs, pieces, bytes, after)
}

// CopyGPUs is Copy between the host and each of the first n GPUs.
func (s *Schedule) CopyGPUs(label string, way *timeline.Resource, n, pieces, bytes int, after timeline.Point) timeline.Point {
	if bytes == 0 {
		return after
	}
	m, gpus := s.Machine, s.Profile.processGPUs(n)
	if s.Profile.Copies == "pinned" {
		return book(way, label, max(m.PinnedCopy(bytes), m.Uplink(bytes*n)), bytes*n, after)
	}
	return s.stage(label, way, n, bytes, book(s.Thread, "copy "+label, m.PageableTables(pieces, gpus), 0, after))
}

// stage moves bytes between pageable memory and each of the first n GPUs.
func (s *Schedule) stage(label string, way *timeline.Resource, n, bytes int, after timeline.Point) timeline.Point {
	all := bytes * n
	s.staged[way] += int64(all)
	return book(s.staging, label, max(s.Machine.PageableCopies(bytes, s.Profile.processGPUs(n)), s.Machine.Uplink(all)), all, after)
}

// glue are the operators that bring pooled vectors into the dense part and their
// gradients out of it.
func (s *Schedule) glue() []Op {
	return []Op{{"pooled vectors", int(s.Machine.HybridTableOps) * s.pieces(), 0}}
}

// pieces is how many separate ones the bags of an input are for the software.
func (s *Schedule) pieces() int {
	if s.Profile.Tables == "together" {
		return 1
	}
	return s.bags()
}
