package elrec

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
	"github.com/hotline-rtl/hotline/host/train/timing"
)

// Work counts the work that only these systems request.
type Work struct {
	// Lookups in tables in tensor-train form; forward products of two slices, and with the third
	// slice; gradients that are multiplied with slices in the backward pass. Each is a sum over
	// GPUs.
	TTLookups  int `json:"tt_lookups,omitempty"`
	TTPrefixes int `json:"tt_prefixes,omitempty"`
	TTRows     int `json:"tt_rows,omitempty"`
	TTBackward int `json:"tt_backward,omitempty"`
	// Recent is the number of cold rows that are taken from the GPUs' caches.
	Recent int `json:"recent,omitempty"`
}

func own(w timing.Work) Work { return timing.Own[Work](w) }

// form describes the part of a model that is in tensor-train form.
type form struct {
	Dims   [3]int // factors of the length of a row
	Rank   int
	Values int // of the cores of all tables
	Bags   int // of an input, in these tables
	// Of an input, in the other tables.
	PlainBags, PlainLookups int
	Queue                   int // length of the queues between host memory and GPUs
}

// Phases that only these systems have.
const (
	phasePrefetch   = "waiting for fetched rows"
	phaseTTExchange = "TT-row exchange"
	phaseTTBackward = "TT backward"
)

// order returns the order of EL-Rec (SC 2022, Sec. III and V), or of TT-Rec if naive is true.
//
// The host fetches rows for a mini-batch when the queue has a free entry, and applies the steps of
// a mini-batch when they have arrived. For tables in tensor-train form, the gradients of a row are
// collected on one GPU before they are multiplied. TT-Rec multiplies and sums each lookup
// separately, and updates the cores afterwards.
func (t form) order(naive bool) timing.System {
	return func(s *timing.Schedule, works []timing.Work) {
		e := &order{Schedule: s, tt: t, naive: naive}
		for m, w := range works {
			s.Begin(m)
			for len(e.fetched) < min(m+t.Queue, len(works)) {
				e.fetch(works)
			}
			e.step(m, w)
			if m+1 >= t.Queue {
				e.drain(works)
			}
		}
		for len(e.updated) < len(works) {
			e.drain(works)
		}
		s.Mark(timing.PhaseUpdate, timeline.Latest(e.updated...))
	}
}

// order is the state of an order.
type order struct {
	*timing.Schedule
	tt      form
	naive   bool             // TT-Rec
	fetched []timeline.Point // rows of a mini-batch on the GPUs
	pushed  []timeline.Point // its steps in host memory
	updated []timeline.Point // its updated rows in host memory
}

func (e *order) step(m int, w timing.Work) {
	s := e.Schedule
	loaded := s.Load(w.Inputs, false, s.Params)
	s.Mark(timing.PhaseLoad, loaded)
	s.Mark(phasePrefetch, e.fetched[m])
	ops := e.moveCached("rows from the cache", own(w).Recent)
	ops = append(append(ops, e.forward(w)...), e.plain(w)...)
	trained := s.Wait(s.GPU(append(ops, s.Train(s.Share(w.Inputs))...), loaded, e.fetched[m], s.Params))
	s.Mark(timing.PhaseGPU, trained)
	multiplied := s.GPU(e.backward(w), e.exchange(w, trained))
	s.Mark(phaseTTBackward, multiplied)
	e.update(m, w, e.allReduce(trained, multiplied))
}

// moveCached returns the operators that copy rows within the memory of each GPU, between the cache
// and the queue.
func (e *order) moveCached(label string, rows int) []timing.Op {
	ops := e.Access(e.RowMove(label, rows, 1), timing.GPURead, rows)
	return e.Access(ops, timing.GPUWrite, rows)
}

// perTable returns the number of tables in tensor-train form, as seen by the software.
func (e *order) perTable() int {
	if e.Profile.Tables == "together" {
		return min(1, e.tt.Bags)
	}
	return e.tt.Bags
}

// batched returns the time of products of slices for all tables, with one kernel per table.
func (e *order) batched(count, rows, cols, inner int) des.Time {
	tables := e.perTable()
	return des.Time(tables) * e.Machine.BatchedGEMM((count+tables-1)/tables, rows, cols, inner, e.cached())
}

// cached reports whether slices and their gradients are found in a cache.
func (e *order) cached() bool { return e.Profile.Slices == "cache" }

// forward returns the operators that multiply and pool rows. EL-Rec first finds the distinct
// prefixes and rows.
func (e *order) forward(w timing.Work) []timing.Op {
	lookups, tables, n := e.Share(own(w).TTLookups), e.perTable(), e.tt.Dims
	if lookups == 0 {
		return nil
	}
	var ops []timing.Op
	if !e.naive {
		ops = append(ops, timing.Op{Label: "distinct TT rows", Count: 2 * tables, Kernels: e.Machine.Elementwise(0, float64(4*timing.ValueBytes*lookups))})
	}
	return append(ops,
		timing.Op{Label: "two TT slices", Count: tables, Kernels: e.batched(e.Share(own(w).TTPrefixes), n[0], n[1]*e.tt.Rank, e.tt.Rank)},
		timing.Op{Label: "third TT slice", Count: tables, Kernels: e.batched(e.Share(own(w).TTRows), n[0]*n[1], n[2], e.tt.Rank)},
		timing.Op{Label: "pool TT rows", Count: tables, Kernels: e.Machine.EmbeddingForward(e.Share(w.Inputs)*e.tt.Bags, lookups, e.RowBytes())})
}

// plain returns the operators of the other tables: pooling on the GPUs, and gradients.
func (e *order) plain(w timing.Work) []timing.Op {
	n := e.Share(w.Inputs)
	if n*e.tt.PlainBags == 0 {
		return nil
	}
	pieces := e.tt.PlainBags
	if e.Profile.Tables == "together" {
		pieces = 1
	}
	bags, rows := n*e.tt.PlainBags, n*e.tt.PlainLookups
	t := e.Machine.EmbeddingForward(bags, rows, e.RowBytes()) + e.Machine.EmbeddingBackward(bags, rows, e.RowBytes())
	ops := []timing.Op{{Label: "embedding", Count: int(e.Machine.GPUTableOps) * pieces, Kernels: t, Data: e.Data(timing.GPURead, rows*e.RowBytes())}}
	return e.Access(ops, timing.GPUUpdate, w.HotRows)
}

// exchange books the exchange that collects the gradients of each row on one GPU. Each GPU sends a
// list of its distinct rows, with table and index.
func (e *order) exchange(w timing.Work, after timeline.Point) timeline.Point {
	if e.naive || own(w).TTRows == 0 {
		return after
	}
	bytes := e.Share(own(w).TTRows) * (e.RowBytes() + timing.IDBytes)
	exchanged := e.Collective(timing.AllToAll, "gradients of TT rows", e.Machine.AllToAll(bytes, e.GPUs, e.Nodes), bytes, own(w).TTRows*e.RowBytes(), after)
	e.Mark(phaseTTExchange, exchanged)
	return exchanged
}

// sliceValues returns the number of values of the slices of a row.
func (e *order) sliceValues() int {
	return e.tt.Rank * (e.tt.Dims[0] + e.tt.Dims[1]*e.tt.Rank + e.tt.Dims[2])
}

// backward returns the operators that multiply gradients with slices: for the gradient of the
// product of two slices, and for each slice. EL-Rec first sums the gradients of a row. On one GPU
// it reads and writes the updated slice; on several GPUs, the sum of the gradients. TT-Rec sums the
// gradients that it has written.
func (e *order) backward(w timing.Work) []timing.Op {
	count, tables, n := e.Share(own(w).TTBackward), e.perTable(), e.tt.Dims
	if count == 0 {
		return nil
	}
	two, width, m := n[0]*n[1], n[1]*e.tt.Rank, e.Machine
	products := e.batched(count, two, e.tt.Rank, n[2]) + e.batched(count, e.tt.Rank, n[2], two) +
		e.batched(count, n[0], e.tt.Rank, width) + e.batched(count, e.tt.Rank, width, n[0])
	values := float64(count * e.sliceValues())
	bytes := timing.ValueBytes * values
	if e.cached() {
		bytes = 0
	}
	if e.naive {
		return []timing.Op{{Label: "TT gradients", Count: 4 * tables, Kernels: products}, {Label: "sum TT gradients", Count: 3 * tables, Kernels: m.Elementwise(values, 3*bytes)}}
	}
	lookups := float64(e.Share(own(w).TTLookups) * e.Model.Dim)
	return []timing.Op{{Label: "sum gradients of TT rows", Count: 2 * tables, Kernels: m.Elementwise(lookups, 2*timing.ValueBytes*lookups)},
		{Label: "TT gradients", Count: 4 * tables, Kernels: products + m.Elementwise(2*values, bytes)}}
}

// allReduce sums the gradients of dense parameters and cores over all GPUs.
func (e *order) allReduce(trained, multiplied timeline.Point) timeline.Point {
	s, bytes := e.Schedule, timing.ValueBytes*e.tt.Values
	reduced := s.AllReduce(trained)
	if bytes > 0 {
		reduced = s.Collective(timing.AllReduce, "all-reduce TT cores", s.Machine.AllReduce(bytes, s.GPUs, s.Nodes), bytes, bytes, reduced, multiplied)
	}
	s.Mark(timing.PhaseReduce, reduced)
	return reduced
}

// update books the update of all parameters, and sends the steps of rows in host memory there.
func (e *order) update(m int, w timing.Work, reduced timeline.Point) {
	s := e.Schedule
	exchanged := reduced
	if w.Listed > 0 {
		exchanged = s.ExchangeHot(w, reduced)
		s.Mark(timing.PhaseExchange, exchanged)
	}
	ops := append(s.Optimiser(), s.RowStates(s.Share(w.Listed), s.Pieces())...)
	ops = append(ops, e.coreUpdate()...)
	ops = append(ops, e.moveCached("rows to the cache", w.ColdRows)...)
	optimised := s.Wait(s.GPU(ops, exchanged))
	s.Mark(timing.PhaseOptimiser, optimised)
	if w.ColdRows > 0 {
		room := optimised
		if m >= e.tt.Queue {
			room = timeline.Latest(optimised, e.updated[m-e.tt.Queue])
			s.Mark(timing.PhaseUpdate, room)
		}
		e.pushed = append(e.pushed, s.Copy("steps of rows", s.ToHost, 1, s.Rows(w.ColdRows).And(s.IDs(w.ColdRows)), room))
		optimised = room
	} else {
		e.pushed = append(e.pushed, optimised)
	}
	s.End(optimised)
}

// coreUpdate returns the operators of the update of the cores, unless it is fused into the
// products.
func (e *order) coreUpdate() []timing.Op {
	if e.tt.Values == 0 || !e.naive && e.GPUs*e.Nodes == 1 && !e.Stateful() {
		return nil
	}
	return []timing.Op{e.Update("TT cores", 3*e.perTable(), e.tt.Values)}
}

// fetch books the copy of the next mini-batch's rows from host memory to every GPU, when the queue
// has a free entry. The CPU works in order, so it has already applied the steps that the cache may
// have dropped. A server's memory has its share of the rows.
func (e *order) fetch(works []timing.Work) {
	s, m := e.Schedule, len(e.fetched)
	rows, after := works[m].ColdRows, timeline.Point{}
	if m >= e.tt.Queue {
		after = s.Params
	}
	if rows == 0 {
		e.fetched = append(e.fetched, after)
		return
	}
	collected := s.ReadRows("fetch rows", s.ServerShare(rows), after)
	if s.Nodes > 1 {
		bytes := rows * s.RowBytes()
		collected = s.Collective(timing.AllGather, "rows of other servers", s.Machine.AllGather(bytes, 1, s.Nodes), bytes, bytes, collected)
	}
	e.fetched = append(e.fetched, s.CopyByCPU("fetched rows", s.ToGPUs, s.RowsOnEach(rows), collected))
}

// drain books applying the steps of the oldest mini-batch that are pending.
func (e *order) drain(works []timing.Work) {
	m := len(e.updated)
	pushed := e.pushed[m]
	if rows := works[m].ColdRows; rows > 0 {
		pushed = e.UpdateRows(e.ServerShare(rows), pushed)
	}
	e.updated = append(e.updated, pushed)
}
