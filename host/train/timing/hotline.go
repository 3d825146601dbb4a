package timing

import (
	"math"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Phases of Hotline that the hybrid system has not.
const (
	phaseLearn      = "learning"
	phaseMove       = "hot-row copies"
	phaseClassify   = "waiting for classify"
	phasePopular    = "popular micro-batch"
	phaseWaitGather = "waiting for gather"
	phaseNonPopular = "non-popular micro-batch"
	phaseExchange   = "hot-row exchange"
	phaseUpdate     = "update exposed"
)

// Hotline trains on the popular inputs of a mini-batch while the accelerator
// gathers for the others and classifies the next one (ISCA 2024, Sec. IV). The
// accelerator learns and reads out the hot set once it has gathered; rows whose
// place changes move when the mini-batch is done.
func Hotline(s *Schedule, works []Work) {
	h := hotline{Schedule: s}
	for m, w := range works {
		s.Begin(m)
		if m == 0 {
			h.classified = h.learn(w, timeline.Point{})
		}
		h.step(w, works[m+1:])
	}
	s.Mark(phaseUpdate, h.updated)
}

// hotline is Hotline under way.
type hotline struct {
	*Schedule
	classified timeline.Point // of the next mini-batch
	updated    timeline.Point // the cold rows of the mini-batch before
}

func (h *hotline) step(w Work, next []Work) {
	s := h.Schedule
	loaded := s.Load(w.Inputs, true, s.Params)
	s.Mark(phaseLoad, loaded)
	begun := timeline.Latest(h.classified, loaded)
	s.Mark(phaseClassify, begun)
	learns := len(next) > 0 && next[0].Learn+next[0].ReadOut > 0
	if len(next) > 0 && !learns {
		h.classified = h.command("classify", next[0].Classify, 0, begun)
	}
	others := s.Share(w.Inputs - w.Popular)
	marked := s.GPU(s.pooledVectors("mark pooled vectors", others), begun)
	gathered := h.command("gather", w.Gather, s.RowBytes()*w.ColdRows, marked, h.updated)
	popular := s.GPU(append(s.Embedding(s.Share(w.Popular)), s.Train(s.Share(w.Popular))...), begun)
	s.Mark(phasePopular, popular)
	var readOut timeline.Point
	if learns {
		readOut = h.readOut(next[0], gathered)
	}
	s.Mark(phaseWaitGather, gathered)
	trained := s.Wait(s.GPU(append(s.pooledVectors("check pooled vectors", others), s.Train(others)...), popular, gathered))
	s.Mark(phaseNonPopular, trained)
	h.update(w, trained)
	if learns {
		s.Mark(phaseLearn, readOut)
		h.classified = h.move(next[0], timeline.Latest(readOut, s.Params, h.updated))
	}
}

// pooledVectors is the operator that overwrites the pooled vectors of n inputs
// before the accelerator gathers, or looks whether they have arrived.
func (s *Schedule) pooledVectors(label string, n int) []Op {
	if n == 0 {
		return nil
	}
	bytes := float64(n * s.bags() * s.RowBytes())
	return []Op{{label, 1, s.Machine.Elementwise(bytes/valueBytes, bytes)}}
}

// update brings the gradients together and updates all parameters.
func (h *hotline) update(w Work, trained timeline.Point) {
	s := h.Schedule
	reduced := s.AllReduce(trained)
	s.Mark(phaseReduce, reduced)
	exchanged := s.ExchangeHot(w, reduced)
	s.Mark(phaseExchange, exchanged)
	ops := append(s.Optimiser(), s.RowUpdate(w.HotRows)...)
	ops = append(ops, s.RowMove("gradients of cold rows", ceil(w.ColdRows, s.GPUs*s.Nodes), 1)...)
	optimised := s.Wait(s.GPU(ops, exchanged))
	s.Mark(phaseOptimiser, optimised)
	h.updateCold(w, optimised)
	s.End(optimised)
}

// command books what the accelerator took between a doorbell and an interrupt.
func (h *hotline) command(label string, took des.Time, bytes int, after ...timeline.Point) timeline.Point {
	if took == 0 {
		return timeline.Latest(after...)
	}
	rung := book(h.driver, "doorbell", h.Machine.Driver(), 0, after...)
	took = des.Time(math.Round(float64(took) * h.Machine.AcceleratorScale))
	return book(h.driver, "interrupt", h.Machine.Driver(), 0, book(h.accelerator, label, took, bytes, rung))
}

// updateCold lists the cold rows for the accelerator, which updates them.
func (h *hotline) updateCold(w Work, after timeline.Point) {
	if w.ColdRows == 0 {
		return
	}
	bytes := listBytes * w.ColdRows
	listed := book(h.ToHost, "update list", h.Machine.PinnedCopy(bytes), bytes, h.coldStates(w, after))
	h.updated = h.command("update", w.Update, 2*h.RowBytes()*w.ColdRows, listed)
}

// listBytes is the size of an entry of the update list: table and index.
const listBytes = arch.UpdateBytes

// learn is the first learning, which nothing hides.
func (h *hotline) learn(w Work, after timeline.Point) timeline.Point {
	read := h.readOut(w, after)
	h.Mark(phaseLearn, read)
	return h.move(w, read)
}

// readOut books learning and the read-out of the hot set.
func (h *hotline) readOut(w Work, after timeline.Point) timeline.Point {
	learned := h.command("learn", w.Learn, 0, after)
	return h.command("read out hot set", w.ReadOut, 0, learned)
}

// move books the rows whose place changes before a mini-batch, and then its
// classification.
func (h *hotline) move(w Work, after timeline.Point) timeline.Point {
	return h.command("classify", w.Classify, 0, h.moveRows(w, after))
}

// moveRows books the rows whose place changes before a mini-batch.
func (s *Schedule) moveRows(w Work, after timeline.Point) timeline.Point {
	moved, tables := after, s.Tables()
	if out := w.Demoted * tables * s.RowBytes(); out > 0 {
		collected := s.GPU(s.RowMove("collect hot rows", w.Demoted, tables), after)
		copied := book(s.ToHost, "hot rows to host", s.Machine.PinnedCopy(out), out, collected)
		moved = book(s.CPU, "scatter rows", s.Machine.Stream(2*out), out, copied)
	}
	if in := w.Promoted * tables * s.RowBytes(); in > 0 {
		collected := book(s.CPU, "collect rows", s.Machine.Stream(2*in), in, moved)
		copied := book(s.ToGPUs, "hot rows to GPUs", max(s.Machine.PinnedCopy(in), s.Machine.Uplink(in*s.GPUs)), in*s.GPUs, collected)
		moved = s.GPU(s.RowMove("scatter hot rows", w.Promoted, tables), copied)
	}
	s.Mark(phaseMove, moved)
	return moved
}
