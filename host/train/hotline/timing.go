package hotline

import (
	"math"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Work counts the work that only this system requests: the accelerator's time for its commands,
// from the doorbell to the last write. Learn and ReadOut precede the mini-batch.
type Work struct {
	Learn    des.Time `json:"learn_ps,omitempty"`
	ReadOut  des.Time `json:"read_out_ps,omitempty"`
	Classify des.Time `json:"classify_ps,omitempty"`
	Gather   des.Time `json:"gather_ps,omitempty"`
	Update   des.Time `json:"update_ps,omitempty"`
	// Cold is the number of lookups of cold rows that the accelerator gathers.
	Cold int `json:"cold,omitempty"`
}

// Learns implements timing.Learner.
func (w Work) Learns() bool { return w.Learn+w.ReadOut > 0 }

func own(w timing.Work) Work { return timing.Own[Work](w) }

// phaseClassify is the time that the GPUs wait for the popularity of the inputs.
const phaseClassify = "waiting for classify"

// driverThreads is larger than the number of concurrent commands.
const driverThreads = 8

// Order trains on the popular inputs of a mini-batch while the accelerator gathers for the
// non-popular inputs and classifies the next mini-batch (ISCA 2024, Sec. IV). After gathering, the
// accelerator learns and reads out the hot set. Rows whose place changes move after the mini-batch.
//
// Each server has an accelerator for its samples (Fig. 10). Cold rows in the memory of another server
// come over the network before the gather, and their gradients return (Sec. VII-H). One accelerator
// learns for all servers (Sec. IV).
func Order(s *timing.Schedule, works []timing.Work) {
	h := order{Schedule: s, accelerator: s.Resource(timing.Accelerator, 1), driver: s.Resource("driver", driverThreads)}
	for m, w := range works {
		s.Begin(m)
		if m == 0 {
			h.classified = h.learn(w, timeline.Point{})
		}
		h.step(m, w, works[m+1:])
	}
	s.Mark(timing.PhaseUpdate, h.updated)
}

// order is the state of Order.
type order struct {
	*timing.Schedule
	accelerator *timeline.Resource
	driver      *timeline.Resource // of the accelerator: never a bottleneck
	classified  timeline.Point     // when the next mini-batch is classified
	updated     timeline.Point     // when the cold rows of the previous mini-batch are updated
}

func (h *order) step(m int, w timing.Work, next []timing.Work) {
	s := h.Schedule
	loaded := s.Load(w.Inputs, true, s.Params)
	s.Mark(timing.PhaseLoad, loaded)
	begun := timeline.Latest(h.classified, loaded)
	s.Mark(phaseClassify, begun)
	learns := len(next) > 0 && own(next[0]).Learns()
	if len(next) > 0 && !learns {
		h.classified = h.shared("classify", own(next[0]).Classify, nil, begun)
	}
	others := s.Share(w.Inputs - w.Popular)
	marked := s.GPU(pooledVectors(s, "mark pooled vectors", others), begun)
	there := s.BetweenServers("cold rows of other servers", w.ColdRows, begun, h.updated)
	gathered := h.shared("gather", own(w).Gather, h.gathers(w), marked, there)
	popular := s.GPU(append(s.Embedding(s.Share(w.Popular)), s.Train(s.Share(w.Popular))...), begun)
	s.Mark(timing.PhasePopular, popular)
	var readOut timeline.Point
	if learns {
		readOut = h.readOut(next[0], gathered)
	}
	s.Mark(timing.PhaseGather, gathered)
	checks := s.Access(pooledVectors(s, "check pooled vectors", others), timing.GPURead, others*s.Bags())
	trained := s.Wait(s.GPU(append(checks, s.Train(others)...), popular, gathered))
	s.Mark(timing.PhaseNonPopular, trained)
	h.update(w, trained)
	if learns {
		s.Mark(timing.PhaseLearn, readOut)
		s.Begin(m + 1)
		h.classified = h.move(next[0], timeline.Latest(readOut, s.Params, h.updated))
	}
}

// pooledVectors returns the operator that overwrites the pooled vectors of n inputs before the
// accelerator gathers, or that checks whether they have arrived.
func pooledVectors(s *timing.Schedule, label string, n int) []timing.Op {
	if n == 0 {
		return nil
	}
	bytes := float64(n * s.Bags() * s.RowBytes())
	return []timing.Op{{Label: label, Count: 1, Kernels: s.Machine.Elementwise(bytes/timing.ValueBytes, bytes)}}
}

// update reduces the gradients and updates all parameters.
func (h *order) update(w timing.Work, trained timeline.Point) {
	s := h.Schedule
	reduced := s.AllReduce(trained)
	s.Mark(timing.PhaseReduce, reduced)
	exchanged := s.ExchangeHot(w, reduced)
	s.Mark(timing.PhaseExchange, exchanged)
	ops := append(s.Optimiser(), s.RowUpdate(w.HotRows)...)
	cold := s.Share(w.ColdRows)
	ops = append(ops, s.Access(s.RowMove("gradients of cold rows", cold, 1), timing.GPUWrite, cold)...)
	optimised := s.Wait(s.GPU(ops, exchanged))
	s.Mark(timing.PhaseOptimiser, optimised)
	h.updateCold(w, optimised)
	s.End(optimised)
}

// command books the accelerator's time between a doorbell and an interrupt, in which it accesses
// values.
func (h *order) command(label string, took des.Time, data []timeline.Data, after ...timeline.Point) timeline.Point {
	if took == 0 {
		return timeline.Latest(after...)
	}
	rung := h.Book(h.driver, "doorbell", h.Machine.Driver(), 0, after...)
	took = des.Time(math.Round(float64(took) * h.Machine.AcceleratorScale))
	w := timeline.Work{Label: label, Time: took, Data: data}
	for _, d := range data {
		w.Bytes += d.Bytes
	}
	return h.Book(h.driver, "interrupt", h.Machine.Driver(), 0, h.accelerator.Book(w, rung))
}

// gathers returns the values that the accelerator of a server gathers: cold rows from host memory,
// hot rows from GPUs, and the pooled vectors that it writes.
func (h *order) gathers(w timing.Work) []timeline.Data {
	inputs, row, cold := w.Inputs-w.Popular, h.RowBytes(), own(w).Cold
	return slices.Concat(h.Data(timing.AcceleratorHostRead, h.ServerShare(cold)*row),
		h.Data(timing.AcceleratorGPURead, h.ServerShare(inputs*h.Model.Lookups()-cold)*row),
		h.Data(timing.AcceleratorGPUWrite, h.ServerShare(inputs)*h.Bags()*row))
}

// updates returns the values of an update in a server: rows in host memory, and gradients on the
// GPUs.
func (h *order) updates(rows int) []timeline.Data {
	bytes := h.ServerShare(rows) * h.RowBytes()
	return slices.Concat(h.Data(timing.AcceleratorHostRead, bytes), h.Data(timing.AcceleratorGPURead, bytes), h.Data(timing.AcceleratorHostWrite, bytes))
}

// shared books a command that the accelerators of all servers divide.
func (h *order) shared(label string, took des.Time, data []timeline.Data, after ...timeline.Point) timeline.Point {
	n := des.Time(h.Nodes)
	return h.command(label, (took+n-1)/n, data, after...)
}

// updateCold books the update list of the cold rows and their update by the accelerator.
func (h *order) updateCold(w timing.Work, after timeline.Point) {
	if w.ColdRows == 0 {
		return
	}
	bytes := arch.UpdateBytes * h.ServerShare(w.ColdRows)
	listed := h.Book(h.ToHost, "update list", h.Machine.PinnedCopy(bytes), bytes, h.coldStates(w, after))
	sent := h.BetweenServers("gradients for other servers", w.ColdRows, listed)
	h.updated = h.shared("update", own(w).Update, h.updates(w.ColdRows), sent)
}

// learn books the first learning, which no other work hides.
func (h *order) learn(w timing.Work, after timeline.Point) timeline.Point {
	read := h.readOut(w, after)
	h.Mark(timing.PhaseLearn, read)
	return h.move(w, read)
}

// readOut books learning and the read-out of the hot set.
func (h *order) readOut(w timing.Work, after timeline.Point) timeline.Point {
	learned := h.command("learn", own(w).Learn, nil, after)
	return h.command("read out hot set", own(w).ReadOut, nil, learned)
}

// move books the rows whose place changes before a mini-batch, and then its classification.
func (h *order) move(w timing.Work, after timeline.Point) timeline.Point {
	return h.shared("classify", own(w).Classify, nil, h.MoveRows(w, after))
}

// coldStates books the update of the cold rows' optimiser states: gradients go to the CPU, and
// steps return to the GPUs. The accelerator then adds the steps to the rows.
func (h *order) coldStates(w timing.Work, after timeline.Point) timeline.Point {
	if !h.Stateful() {
		return after
	}
	bytes := h.StatesOnly(h.Rows(w.ColdRows))
	there := h.CopyPinned("gradients of cold rows", h.ToHost, h.GPUs, bytes, after)
	rows := h.ServerShare(w.ColdRows)
	done := h.Book(h.CPU, "states of cold rows", h.States(h.UpdateTime(rows)), 2*rows*h.StateBytes(), there)
	return h.CopyPinned("steps of cold rows", h.ToGPUs, h.GPUs, bytes, done)
}
