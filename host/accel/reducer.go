package accel

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

	free    int64   // edge at which the next operation can begin
	ready   int64   // edge at which the next row of the same vector can
	results int64   // edge at which the first beat of the vector is there
	passed  int64   // edge at which the latest packet left the reducer
	gone    int64   // edge at which the last beat of the latest vector did
	starts  []int64 // edges at which the first beats of the latest did, by number modulo
	vectors int     // that have left

	values []uint32
}

// arrived is a row with the edge from which on it can be taken.
type arrived struct {
	dma.RowData
	at int64
}

func newReducer(a *Accel) reducer {
	return reducer{a: a, ends: make([]int64, dispatch.OpsDepth(a.p)+2), starts: make([]int64, a.p.VectorValues),
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

// run does what can be done.
func (r *reducer) run() {
	for r.busy() && r.do(r.ops[r.at]) {
		r.ends[r.done%len(r.ends)] = r.free
		r.done++
		r.at++
	}
	r.a.settle()
}

// do does an operation; false if its row, or room for a write, is missing.
func (r *reducer) do(op reduce.Operation) bool {
	if op.Kind == reduce.Write {
		return r.write(op)
	}
	if r.first == len(r.rows) {
		return false
	}
	row := &r.rows[r.first]
	r.first++
	n := r.rowValues()
	beats := int64(n / r.a.p.ALUs)
	begin := max(r.free, row.at, r.ready, r.starts[(r.vectors+len(r.starts)-r.a.p.VectorValues/n)%len(r.starts)])
	r.a.reads.release(r.released(row.at, begin, beats))
	r.free = begin + beats
	r.ready = begin + reduce.Latency + 1
	r.results = r.ready
	if r.failed == 0 {
		r.failed = row.Error
	}
	r.a.csrs.rowsRead++
	r.a.model.Reducer.Accumulate(op, r.unpack(row.Beats, n))
	*row = arrived{}
	return true
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

// write sends the vector.
func (r *reducer) write(op reduce.Operation) bool {
	w := &r.a.writes
	if r.failed != 0 || w.failed != 0 {
		r.free++
		return true
	}
	if !w.room() {
		return false
	}
	n := r.rowValues()
	beats := int64(n / r.a.p.ALUs)
	begin := max(r.free, r.passed, r.a.edge()) // a packet waits behind the one that passes
	r.free = begin + 1
	r.passed = max(begin, r.gone) + 1
	start := max(begin+1, r.results, r.gone) + 1 // its beats leave the buffer a cycle before
	start = max(start, r.passed+descriptorCycles)
	r.starts[r.vectors%len(r.starts)] = start
	r.vectors++
	r.ready = 0
	r.gone = start + beats - 1
	w.free = r.gone + 1
	r.a.csrs.rowsWritten++
	v := r.a.model.Reducer.Write(op, r.values[:n])
	w.send(w.free, v.Addr, v.Bytes())
	return true
}
