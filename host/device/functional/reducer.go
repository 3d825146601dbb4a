package functional

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// reducer models the reducer. It performs the operations in order as their rows arrive, at one beat
// per cycle. An operation on the result of a row waits until the result is available.
type reducer struct {
	a      *Accel
	failed arch.DMAError // error of the first failed row

	ops   []reduce.Operation
	at    int     // index of the next operation in ops
	asked int     // number of operations ever queued
	done  int     // number of operations ever done
	ends  []int64 // completion edges of the latest operations, indexed by operation number modulo the length

	rows  []arrived
	first int // index of the oldest row in rows

	free   int64   // edge at which the next operation can begin
	gone   int64   // edge at which the last beat of the latest vector left
	places []int64 // edges at which the places of the buffer become usable, by vector number modulo the number of places
	base   int     // number of vectors that have left
	vector int     // number of the current vector

	values []uint32
}

// arrived is a row and the first edge at which it can be taken.
type arrived struct {
	dma.RowData
	at int64
}

func newReducer(a *Accel) reducer {
	return reducer{a: a, ends: make([]int64, dispatch.OpsDepth(a.p)+2), places: make([]int64, a.p.VectorValues),
		values: make([]uint32, a.p.VectorValues)}
}

// queue appends operations.
func (r *reducer) queue(ops []reduce.Operation) {
	if len(ops) == 0 {
		return
	}
	if r.busy() {
		r.ops = append(r.ops, ops...)
	} else {
		r.ops, r.at = ops, 0
	}
	r.asked += len(ops)
	r.free = max(r.free, r.a.edge()+opCycles)
	r.run()
}

func (r *reducer) busy() bool { return r.at < len(r.ops) }

// doneAt returns the edge at which operation number completed, and whether it has completed.
func (r *reducer) doneAt(number int) (int64, bool) {
	switch {
	case number < 0:
		return 0, true
	case number >= r.done:
		return 0, false
	}
	return r.ends[number%len(r.ends)], true
}

// arrive adds a row.
func (r *reducer) arrive(row dma.RowData, at int64) {
	if r.first == len(r.rows) {
		r.rows, r.first = r.rows[:0], 0
	}
	r.rows = append(r.rows, arrived{row, at})
}

// waits reports whether a single-beat row waits for its operation.
func (r *reducer) waits() bool {
	return r.first < len(r.rows) && r.rows[r.first].at <= r.a.edge() && r.rowValues() == r.a.p.ALUs
}

// run performs all operations that are ready.
func (r *reducer) run() {
	for r.busy() && r.do(r.ops[r.at]) {
		r.ends[r.done%len(r.ends)] = r.free
		r.done++
		r.at++
	}
	r.a.settle()
}

// do performs an operation. It returns false if its row is missing or its vector cannot be sent
// yet.
func (r *reducer) do(op reduce.Operation) bool {
	w, n, row := &r.a.writes, r.rowValues(), arrived{}
	takes := op.Kind != reduce.Keep
	if takes && r.first == len(r.rows) || op.Write && !r.muted(0) && !w.room(r.endOf(takes)+packetCycles) {
		return false
	}
	if takes {
		row = r.rows[r.first]
		r.rows[r.first] = arrived{}
		r.first++
		r.a.csrs.rowsRead++
	}
	place := &r.places[r.vector%(r.a.p.VectorValues/n)]
	writes := op.Write && !r.muted(row.Error)
	if r.failed == 0 {
		r.failed = row.Error
	}
	if takes {
		r.take(row, place, int64(n/r.a.p.ALUs))
	} else {
		r.free++
	}
	v, _ := r.a.model.Reducer.Do(op, n, r.unpack(row.Beats, n), !writes)
	r.vector++
	if writes {
		r.base++
		r.send(place, v, int64(n/r.a.p.ALUs))
	}
	if !op.Next {
		r.vector = r.base
	}
	return true
}

// endOf returns the edge at which the current operation ends. If it takes a row, the row must be
// present.
func (r *reducer) endOf(takes bool) int64 {
	if !takes {
		return r.free + 1
	}
	n := r.rowValues()
	return max(r.free, r.places[r.vector%(r.a.p.VectorValues/n)], r.rows[r.first].at) + int64(n/r.a.p.ALUs)
}

// muted reports whether an error suppresses the output of vectors. e is the error of the current
// row.
func (r *reducer) muted(e arch.DMAError) bool {
	return r.failed != 0 || e != 0 || r.a.writes.failed != 0
}

// take consumes the beats of a row.
func (r *reducer) take(row arrived, place *int64, beats int64) {
	ready := max(r.free, *place)
	begin := max(ready, row.at)
	if begin > ready {
		r.a.csrs.lateRows++
	}
	r.a.reads.release(r.released(row.at, begin, beats))
	r.free = begin + beats
	*place = begin + reduce.Latency + 1
}

// released returns the edge at which the tag of a row becomes reusable. The last beat of the row
// waits at the reducer until the previous beat is taken.
func (r *reducer) released(arrived, begin, beats int64) int64 {
	read := begin + beats - 2
	if beats == 1 {
		read = max(arrived, r.free) - 1
	}
	return read + tagCycles
}

// rowValues returns the number of values in a row.
func (r *reducer) rowValues() int { return 1 << r.a.model.Dispatch.RowLog2 / 4 }

// unpack returns the values of a row, with zeros for missing data.
func (r *reducer) unpack(beats [][]uint64, n int) []uint32 {
	out := r.values[:n]
	clear(out)
	per := r.a.p.StreamBytes() / 4
	for i, beat := range beats {
		for k, w := range beat {
			out[i*per+2*k], out[i*per+2*k+1] = uint32(w), uint32(w>>32)
		}
	}
	return out
}

// send sends the vector at a place. Its packet leaves after the operation, independent of the data
// of earlier packets.
func (r *reducer) send(place *int64, v reduce.Vector, beats int64) {
	w := &r.a.writes
	r.free = max(r.free, r.a.edge()+1)
	start := max(r.free, *place, r.gone) + 1 // its beats leave the buffer a cycle earlier
	start = max(start, r.free+descriptorCycles)
	*place = start
	r.gone = start + beats - 1
	w.free = r.gone + 1
	r.a.csrs.rowsWritten++
	w.send(w.free, v.Addr, v.Bytes())
}
