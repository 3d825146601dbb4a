package timing

import (
	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/des/timeline"
)

// TT is what of a model is in tensor-train form, for the orders of EL-Rec and TT-Rec.
type TT struct {
	Dims   [3]int // factors of the length of a row
	Rank   int
	Values int // of the cores of all tables
	Bags   int // of an input, in these tables
	// Of an input, in the other tables.
	PlainBags, PlainLookups int
	Queue                   int // length of the queues between host memory and GPUs
}

// Phases of EL-Rec and TT-Rec that others have not.
const (
	phasePrefetch   = "waiting for fetched rows"
	phaseTTExchange = "TT-row exchange"
	phaseTTBackward = "TT backward"
)

// ELRec is the order of EL-Rec (SC 2022, Sec. III and V). The host fetches rows for a
// mini-batch when there is room in the queue, and makes the steps of one when they
// have come. Before gradients of
// rows in tensor-train form are multiplied, those of one row come together on one GPU.
func ELRec(t TT) System { return t.order(false) }

// TTRec is the order of TT-Rec, which multiplies and sums lookup by lookup, and updates
// the cores afterwards.
func TTRec(t TT) System { return t.order(true) }

func (t TT) order(naive bool) System {
	return func(s *Schedule, works []Work) {
		e := &elrec{Schedule: s, TT: t, naive: naive}
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
		s.Mark(phaseUpdate, timeline.Latest(e.updated...))
	}
}

// elrec is EL-Rec or TT-Rec under way.
type elrec struct {
	*Schedule
	TT
	naive   bool             // TT-Rec
	fetched []timeline.Point // rows of a mini-batch on the GPUs
	pushed  []timeline.Point // its steps in host memory
	updated []timeline.Point // and the rows there
}

func (e *elrec) step(m int, w Work) {
	s := e.Schedule
	loaded := s.Load(w.Inputs, false, s.Params)
	s.Mark(phaseLoad, loaded)
	s.Mark(phasePrefetch, e.fetched[m])
	ops := s.RowMove("rows from the cache", w.Recent, 1)
	ops = append(append(ops, e.forward(w)...), e.plain(w)...)
	trained := s.Wait(s.GPU(append(ops, s.Train(s.Share(w.Inputs))...), loaded, e.fetched[m], s.Params))
	s.Mark(phaseGPU, trained)
	multiplied := s.GPU(e.backward(w), e.exchange(w, trained))
	s.Mark(phaseTTBackward, multiplied)
	e.update(m, w, e.allReduce(trained, multiplied))
}

// perTable is how many tables in tensor-train form there are for the software.
func (e *elrec) perTable() int {
	if e.Profile.Tables == "together" {
		return min(1, e.Bags)
	}
	return e.Bags
}

// batched are products of slices for all tables, in a kernel for each.
func (e *elrec) batched(count, rows, cols, inner int) des.Time {
	tables := e.perTable()
	return des.Time(tables) * e.Machine.BatchedGEMM(ceil(count, tables), rows, cols, inner, e.cached())
}

// cached tells whether slices and their gradients are found in a cache.
func (e *elrec) cached() bool { return e.Profile.Slices == "cache" }

// forward are the operators that multiply and pool rows: EL-Rec looks first which
// prefixes and rows there are.
func (e *elrec) forward(w Work) []Op {
	lookups, tables, n := e.Share(w.TTLookups), e.perTable(), e.Dims
	if lookups == 0 {
		return nil
	}
	var ops []Op
	if !e.naive {
		ops = append(ops, Op{"distinct TT rows", 2 * tables, e.Machine.Elementwise(0, float64(4*valueBytes*lookups))})
	}
	return append(ops,
		Op{"two TT slices", tables, e.batched(e.Share(w.TTPrefixes), n[0], n[1]*e.Rank, e.Rank)},
		Op{"third TT slice", tables, e.batched(e.Share(w.TTRows), n[0]*n[1], n[2], e.Rank)},
		Op{"pool TT rows", tables, e.Machine.EmbeddingForward(e.Share(w.Inputs)*e.Bags, lookups, e.RowBytes())})
}

// plain are the operators of the other tables: all that is pooled on the GPUs, and its
// gradients.
func (e *elrec) plain(w Work) []Op {
	n := e.Share(w.Inputs)
	if n*e.PlainBags == 0 {
		return nil
	}
	pieces := e.PlainBags
	if e.Profile.Tables == "together" {
		pieces = 1
	}
	bags, rows := n*e.PlainBags, n*e.PlainLookups
	t := e.Machine.EmbeddingForward(bags, rows, e.RowBytes()) + e.Machine.EmbeddingBackward(bags, rows, e.RowBytes())
	return []Op{{"embedding", int(e.Machine.GPUTableOps) * pieces, t}}
}

// exchange brings the gradients of a row together on one GPU, as a list of the distinct
// rows of each GPU with table and index.
func (e *elrec) exchange(w Work, after timeline.Point) timeline.Point {
	if e.naive || w.TTRows == 0 {
		return after
	}
	bytes := e.Share(w.TTRows) * (e.RowBytes() + listBytes)
	exchanged := book(e.Links, "gradients of TT rows", e.Machine.AllToAll(bytes, e.GPUs, e.Nodes), bytes, after)
	e.Mark(phaseTTExchange, exchanged)
	return exchanged
}

// sliceValues is the number of values of the slices of a row.
func (e *elrec) sliceValues() int { return e.Rank * (e.Dims[0] + e.Dims[1]*e.Rank + e.Dims[2]) }

// backward are the operators that multiply gradients with slices: that of the product
// of two, and those of each slice. EL-Rec sums those of a row before; what it writes is
// the updated slice, which it reads too, or if there are several GPUs the sum of the
// gradients. TT-Rec sums what it has written.
func (e *elrec) backward(w Work) []Op {
	count, tables, n := e.Share(w.TTBackward), e.perTable(), e.Dims
	if count == 0 {
		return nil
	}
	two, width, m := n[0]*n[1], n[1]*e.Rank, e.Machine
	products := e.batched(count, two, e.Rank, n[2]) + e.batched(count, e.Rank, n[2], two) +
		e.batched(count, n[0], e.Rank, width) + e.batched(count, e.Rank, width, n[0])
	values := float64(count * e.sliceValues())
	bytes := valueBytes * values
	if e.cached() {
		bytes = 0
	}
	if e.naive {
		return []Op{{"TT gradients", 4 * tables, products}, {"sum TT gradients", 3 * tables, m.Elementwise(values, 3*bytes)}}
	}
	lookups := float64(e.Share(w.TTLookups) * e.Model.Dim)
	return []Op{{"sum gradients of TT rows", 2 * tables, m.Elementwise(lookups, 2*valueBytes*lookups)},
		{"TT gradients", 4 * tables, products + m.Elementwise(2*values, bytes)}}
}

// allReduce sums the dense gradients and those of the cores over all GPUs.
func (e *elrec) allReduce(trained, multiplied timeline.Point) timeline.Point {
	s, bytes := e.Schedule, valueBytes*e.Values
	reduced := s.AllReduce(trained)
	if bytes > 0 {
		reduced = book(s.Links, "all-reduce TT cores", s.Machine.AllReduce(bytes, s.GPUs, s.Nodes), bytes, reduced, multiplied)
	}
	s.Mark(phaseReduce, reduced)
	return reduced
}

// update updates all parameters, and sends the steps of rows in host memory there.
func (e *elrec) update(m int, w Work, reduced timeline.Point) {
	s := e.Schedule
	exchanged := reduced
	if w.Listed > 0 {
		exchanged = s.ExchangeHot(w, reduced)
		s.Mark(phaseExchange, exchanged)
	}
	ops := append(s.Optimiser(), s.rowStates(ceil(w.Listed, s.GPUs*s.Nodes), s.pieces())...)
	ops = append(ops, e.coreUpdate()...)
	ops = append(ops, s.RowMove("rows to the cache", w.ColdRows, 1)...)
	optimised := s.Wait(s.GPU(ops, exchanged))
	s.Mark(phaseOptimiser, optimised)
	if w.ColdRows > 0 {
		room := optimised
		if m >= e.Queue {
			room = timeline.Latest(optimised, e.updated[m-e.Queue])
			s.Mark(phaseUpdate, room)
		}
		bytes := ceil(w.ColdRows, s.GPUs*s.Nodes) * (s.RowBytes() + listBytes)
		e.pushed = append(e.pushed, s.Copy("steps of rows", s.ToHost, 1, bytes, room))
		optimised = room
	} else {
		e.pushed = append(e.pushed, optimised)
	}
	s.End(optimised)
}

// coreUpdate are the operators of the update of the cores, unless it is fused into the
// products.
func (e *elrec) coreUpdate() []Op {
	if e.Values == 0 || !e.naive && e.GPUs*e.Nodes == 1 && !e.stateful() {
		return nil
	}
	u, values := e.Schedule.update(), float64(e.Values)
	return []Op{{"TT cores", 3 * u.operators * e.perTable(), e.Machine.Elementwise(u.flops*values, u.values*valueBytes*values)}}
}

// fetch books the next mini-batch's rows from host memory to every GPU, when there is
// room in the queue. The CPU has made the steps before that the cache may have dropped,
// as it works in this order. A server's memory has its share of the rows.
func (e *elrec) fetch(works []Work) {
	s, m := e.Schedule, len(e.fetched)
	rows, after := works[m].ColdRows, timeline.Point{}
	if m >= e.Queue {
		after = s.Params
	}
	if rows == 0 {
		e.fetched = append(e.fetched, after)
		return
	}
	own := ceil(rows, s.Nodes)
	collected := book(s.CPU, "fetch rows", s.rowTime(own)/3, own*s.RowBytes(), after)
	if s.Nodes > 1 {
		bytes := rows * s.RowBytes()
		collected = book(s.Links, "rows of other servers", s.Machine.AllGather(bytes, 1, s.Nodes), bytes, collected)
	}
	e.fetched = append(e.fetched, e.send(rows*s.RowBytes(), collected))
}

// send copies fetched rows to the GPUs, with the CPU's time and not the host thread's,
// which has to train.
func (e *elrec) send(bytes int, after timeline.Point) timeline.Point {
	if e.Profile.Copies == "pinned" {
		return e.Copy("fetched rows", e.ToGPUs, 1, bytes, after)
	}
	host := book(e.CPU, "copy fetched rows", e.Machine.PageableTables(1, e.Profile.processGPUs(e.GPUs)), 0, after)
	return e.stage("fetched rows", e.ToGPUs, e.GPUs, bytes, host)
}

// drain books the steps of the oldest mini-batch of which they are not made.
func (e *elrec) drain(works []Work) {
	m := len(e.updated)
	pushed := e.pushed[m]
	if rows := works[m].ColdRows; rows > 0 {
		pushed = e.updateRows(ceil(rows, e.Nodes), pushed)
	}
	e.updated = append(e.updated, pushed)
}
