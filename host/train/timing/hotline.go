package timing

import (
	"math"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/node/timeline"
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
func Hotline(s *schedule, works []Work) {
	h := hotline{schedule: s}
	for m, w := range works {
		s.begin(m)
		if m == 0 {
			h.classified = h.learn(w, timeline.Point{})
		}
		h.step(w, works[m+1:])
	}
	s.marks.mark(phaseUpdate, h.updated)
}

// hotline is Hotline under way.
type hotline struct {
	*schedule
	classified timeline.Point // of the next mini-batch
	updated    timeline.Point // the cold rows of the mini-batch before
}

func (h *hotline) step(w Work, next []Work) {
	s := h.schedule
	loaded := s.load(w.Inputs, true, s.params)
	s.marks.mark(phaseLoad, loaded)
	begun := timeline.Latest(h.classified, loaded)
	s.marks.mark(phaseClassify, begun)
	learns := len(next) > 0 && next[0].Learn+next[0].ReadOut > 0
	if len(next) > 0 && !learns {
		h.classified = h.command("classify", next[0].Classify, 0, begun)
	}
	others := s.share(w.Inputs - w.Popular)
	marked := s.gpu(s.pooledVectors("mark pooled vectors", others), begun)
	gathered := h.command("gather", w.Gather, s.rowBytes()*w.ColdRows, marked, h.updated)
	popular := s.gpu(append(s.embedding(s.share(w.Popular)), s.train(s.share(w.Popular))...), begun)
	s.marks.mark(phasePopular, popular)
	var readOut timeline.Point
	if learns {
		readOut = h.readOut(next[0], gathered)
	}
	s.marks.mark(phaseWaitGather, gathered)
	trained := s.wait(s.gpu(append(s.pooledVectors("check pooled vectors", others), s.train(others)...), popular, gathered))
	s.marks.mark(phaseNonPopular, trained)
	h.update(w, trained)
	if learns {
		s.marks.mark(phaseLearn, readOut)
		h.classified = h.move(next[0], timeline.Latest(readOut, s.params, h.updated))
	}
}

// pooledVectors is the operator that overwrites the pooled vectors of n inputs
// before the accelerator gathers, or looks whether they have arrived.
func (s *schedule) pooledVectors(label string, n int) []op {
	if n == 0 {
		return nil
	}
	bytes := float64(n * s.bags() * s.rowBytes())
	return []op{{label, 1, s.Machine.Elementwise(bytes/valueBytes, bytes)}}
}

// update brings the gradients together and updates all parameters.
func (h *hotline) update(w Work, trained timeline.Point) {
	s := h.schedule
	reduced := s.allReduce(trained)
	s.marks.mark(phaseReduce, reduced)
	exchanged := s.exchangeHot(w, reduced)
	s.marks.mark(phaseExchange, exchanged)
	ops := append(s.optimiser(), s.rowUpdate(w.HotRows)...)
	ops = append(ops, s.rowMove("gradients of cold rows", ceil(w.ColdRows, s.GPUs*s.Nodes), 1)...)
	optimised := s.wait(s.gpu(ops, exchanged))
	s.marks.mark(phaseOptimiser, optimised)
	h.updateCold(w, optimised)
	s.end(optimised)
}

// command books what the accelerator took between a doorbell and an interrupt.
func (h *hotline) command(label string, took node.Time, bytes int, after ...timeline.Point) timeline.Point {
	if took == 0 {
		return timeline.Latest(after...)
	}
	rung := book(h.driver, "doorbell", h.Machine.Driver(), 0, after...)
	took = node.Time(math.Round(float64(took) * h.Machine.AcceleratorScale))
	return book(h.driver, "interrupt", h.Machine.Driver(), 0, book(h.accelerator, label, took, bytes, rung))
}

// updateCold lists the cold rows for the accelerator, which updates them.
func (h *hotline) updateCold(w Work, after timeline.Point) {
	if w.ColdRows == 0 {
		return
	}
	bytes := listBytes * w.ColdRows
	listed := book(h.toHost, "update list", h.Machine.PinnedCopy(bytes), bytes, h.coldStates(w, after))
	h.updated = h.command("update", w.Update, 2*h.rowBytes()*w.ColdRows, listed)
}

// listBytes is the size of an entry of the update list: table and index.
const listBytes = 8

// learn is the first learning, which nothing hides.
func (h *hotline) learn(w Work, after timeline.Point) timeline.Point {
	read := h.readOut(w, after)
	h.marks.mark(phaseLearn, read)
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
func (s *schedule) moveRows(w Work, after timeline.Point) timeline.Point {
	moved, tables := after, s.tables()
	if out := w.Demoted * tables * s.rowBytes(); out > 0 {
		collected := s.gpu(s.rowMove("collect hot rows", w.Demoted, tables), after)
		copied := book(s.toHost, "hot rows to host", s.Machine.PinnedCopy(out), out, collected)
		moved = book(s.cpu, "scatter rows", s.Machine.Stream(2*out), out, copied)
	}
	if in := w.Promoted * tables * s.rowBytes(); in > 0 {
		collected := book(s.cpu, "collect rows", s.Machine.Stream(2*in), in, moved)
		copied := book(s.toGPUs, "hot rows to GPUs", max(s.Machine.PinnedCopy(in), s.Machine.Uplink(in*s.GPUs)), in*s.GPUs, collected)
		moved = s.gpu(s.rowMove("scatter hot rows", w.Promoted, tables), copied)
	}
	s.marks.mark(phaseMove, moved)
	return moved
}
