package functional

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/dma"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// reducer does the operations in their order as their rows arrive: a beat a
// cycle, but on the results of a row only when they are there.
type reducer struct {
	a      *Accel
	failed arch.DMAError // first row that failed

	ops   []reduce.Operation
	at    int     // the next of them
	asked int     // operations ever queued
	done  int     // operations ever done
	ends  []int64 // edges at which the latest were done, by number modulo

	rows  []arrived
	first int // the oldest of them

	free   int64   // edge at which the next operation can begin
	gone   int64   // edge at which the last beat of the latest vector did
	places []int64 // edges at which the places of the buffer can be used: by number of the vector, modulo
	base   int     // vectors that have left: number of the next
	vector int     // number of that at hand

	values []uint32
}

// arrived is a row with the edge from which on it can be taken.
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

// doneAt is when the operation of a number was done, unless it was not.
func (r *reducer) doneAt(number int) (int64, bool) {
	switch {
	case number < 0:
		return 0, true
	case number >= r.done:
		return 0, false
	}
	return r.ends[number%len(r.ends)], true
}

// arrive takes a row.
func (r *reducer) arrive(row dma.RowData, at int64) {
	if r.first == len(r.rows) {
		r.rows, r.first = r.rows[:0], 0
	}
	r.rows = append(r.rows, arrived{row, at})
}

// waits tells whether a row of a single beat waits for its operation.
func (r *reducer) waits() bool {
	return r.first < len(r.rows) && r.rows[r.first].at <= r.a.edge() && r.rowValues() == r.a.p.ALUs
}

// run does what can be done.
func (r *reducer) run() {
	for r.busy() && r.do(r.ops[r.at]) {
		r.ends[r.done%len(r.ends)] = r.free
		r.done++
		r.at++
	}
	r.a.settle()
}

// do does an operation; false if its row, or room for its vector, is missing.
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

// endOf is when the operation at hand ends, whose row is there if it takes one.
func (r *reducer) endOf(takes bool) int64 {
	if !takes {
		return r.free + 1
	}
	n := r.rowValues()
	return max(r.free, r.places[r.vector%(r.a.p.VectorValues/n)], r.rows[r.first].at) + int64(n/r.a.p.ALUs)
}

// muted tells whether no vector leaves, with a row that has this error.
func (r *reducer) muted(e arch.DMAError) bool {
	return r.failed != 0 || e != 0 || r.a.writes.failed != 0
}

// take takes the beats of a row.
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

// released is when the tag of a row can be used again. The last of its beats waits
// at the reducer from the edge on at which the beat before it is taken.
func (r *reducer) released(arrived, begin, beats int64) int64 {
	read := begin + beats - 2
	if beats == 1 {
		read = max(arrived, r.free) - 1
	}
	return read + tagCycles
}

// rowValues is the number of values of a row.
func (r *reducer) rowValues() int { return 1 << r.a.model.Dispatch.RowLog2 / 4 }

// unpack gives the values of a row; zeros for what did not arrive.
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

// send sends the vector at a place. Its packet leaves behind the operation, whether or not
// data of earlier ones has.
func (r *reducer) send(place *int64, v reduce.Vector, beats int64) {
	w := &r.a.writes
	r.free = max(r.free, r.a.edge()+1)
	start := max(r.free, *place, r.gone) + 1 // its beats leave the buffer a cycle before
	start = max(start, r.free+descriptorCycles)
	*place = start
	r.gone = start + beats - 1
	w.free = r.gone + 1
	r.a.csrs.rowsWritten++
	w.send(w.free, v.Addr, v.Bytes())
}
