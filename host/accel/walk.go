package accel

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// walk says when the requests of a command are made: the memory controller walks
// over lookups, or over an update list, and emits an operation a cycle, with the
// read that it needs, as long as the queue of operations has room.
type walk struct {
	a     *Accel
	clock int64 // edge of the latest request
	known bool  // it is that of the next one

	ops  []reduce.Operation
	op   int // the next to be emitted; that of the next request once it is known
	base int // number of the first in the reducer's count

	slots, inputs, skip int // of a gather: rows of an input, inputs to walk over, cycles beside them
	row                 int // next row
}

// walk is that of the command at hand, before the reducer has its operations.
func (a *Accel) walk(ops []reduce.Operation, rows int) walk {
	w := walk{a: a, clock: a.edge() + walkCycles, ops: ops, base: a.reducer.asked}
	if a.now.cmd.Opcode == arch.Gather {
		w.clock += bitmapCycles
		w.slots = a.dispatch.Slots
		w.inputs = rows / w.slots
		w.skip = skipCycles(a.p, int(a.now.cmd.Operand2), w.inputs, w.slots, a.dispatch.Tables)
		a.now.until = a.edge() + int64(w.skip)
	}
	return w
}

// next is the edge of the next request; false while the queue is full.
func (w *walk) next() (edge int64, ok bool) {
	if !w.known {
		w.known = true
		w.clock += w.cost()
	}
	if len(w.ops) > 0 {
		done, ok := w.a.reducer.doneAt(w.base + w.op - w.a.p.Tags*opsPerTag - 2)
		if !ok {
			return 0, false
		}
		w.clock = max(w.clock, done+1)
	}
	return w.clock, true
}

// cost is how long it takes from the request before to this one.
func (w *walk) cost() int64 {
	cycles := 1
	for ; w.op < len(w.ops) && w.ops[w.op].Kind == reduce.Write; w.op++ {
		cycles++
	}
	if w.slots > 0 && w.row%w.slots == 0 {
		i := w.row / w.slots
		cycles += w.skip*(i+1)/w.inputs - w.skip*i/w.inputs
	}
	return int64(cycles)
}

// sent notes that the request has left. The controller runs no more than a few
// requests ahead.
func (w *walk) sent(edge int64) {
	w.known = false
	w.op++
	w.row++
	w.clock = max(w.clock, edge-rowsAhead)
}
