package xdl

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Phases of a parameter server.
const (
	phaseLookup = "lookup of ids"
	phasePull   = "pull"
	phaseTrain  = "workers on the CPU"
	phasePush   = "push"
	phaseServer = "server's update"
)

// Order books the work of a synchronous parameter server (a baseline in VLDB 2022, Sec. 5, and ISCA
// 2024, Fig. 19). The GPUs look ids up and update dense parameters. A worker for each GPU trains on
// the CPU, whose memory has the rows. Nothing overlaps.
func Order(s *timing.Schedule, works []timing.Work) {
	for m, w := range works {
		s.Begin(m)
		loaded := s.Load(w.Inputs, false, s.Params)
		s.Mark(timing.PhaseLoad, loaded)
		found := lookUp(s, w.Listed, loaded)
		s.Mark(phaseLookup, found)
		pulled := pull(s, w.Listed, found)
		s.Mark(phasePull, pulled)
		trained := work(s, w.Inputs, pulled)
		s.Mark(phaseTrain, trained)
		pushed := s.Copy("dense gradients", s.ToGPUs, 1, s.Dense(), trained)
		s.Mark(phasePush, pushed)
		updated := timeline.Latest(s.UpdateRows(s.ServerShare(w.ColdRows), trained), s.Wait(s.GPU(optimiser(s), pushed)))
		s.Mark(phaseServer, updated)
		s.End(updated)
	}
}

// lookUp books finding the places of the listed rows of all workers in the GPUs' dictionary. Its
// entry is an id and a place.
func lookUp(s *timing.Schedule, listed int, after timeline.Point) timeline.Point {
	sent := s.Copy("ids", s.ToGPUs, 1, s.IDs(listed), after)
	found := s.Wait(s.GPU([]timing.Op{{Label: "look ids up", Count: s.Pieces(), Kernels: s.Machine.Gather(s.Share(listed), entryBytes)}}, sent))
	return s.Copy("places", s.ToHost, 1, s.IDs(listed), found)
}

// pull books collecting the rows of all workers, and getting the dense parameters from the GPUs.
func pull(s *timing.Schedule, listed int, after timeline.Point) timeline.Point {
	collected := s.ReadRows("collect rows", s.ServerShare(listed), after)
	return s.Copy("dense parameters", s.ToHost, 1, s.Dense(), collected)
}

// work books what the workers compute: pooled vectors, the dense part, and the gradients of rows,
// which access each looked-up row once more.
func work(s *timing.Schedule, inputs int, after timeline.Point) timeline.Point {
	lookups := s.ServerShare(inputs) * s.Model.Lookups()
	pooled := s.ReadRows("pool rows", lookups, after)
	return s.Book(s.CPU, "gradients of rows", s.ReadTime(lookups), lookups*s.RowBytes(), s.TrainOnCPU(inputs, pooled))
}

// optimiser returns the operators of the dense parameters' update. Each GPU updates its share of each
// tensor.
func optimiser(s *timing.Schedule) []timing.Op {
	ops := s.Optimiser()
	for i := range ops {
		ops[i].Kernels /= des.Time(s.GPUs)
	}
	return ops
}
