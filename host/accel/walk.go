package accel

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
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
	w := walk{a: a, clock: a.edge(), ops: ops, base: a.reducer.asked}
	switch a.now.cmd.Opcode {
	case arch.Update:
		w.clock += walkCycles
	case arch.Gather:
		w.clock += walkCycles + bitmapCycles
		w.slots = a.model.Dispatch.Slots
		w.inputs = rows / w.slots
		w.skip = w.beside(int(a.now.cmd.Operand2))
		a.now.until = a.edge() + 1 + int64(w.skip)
	}
	return w
}

// beside is how long the walk over a bitmap of n inputs takes beside the lookups: two
// cycles for a word of it, one for a line, inputCycles for an input. Of these, the
// emitter uses some for the writes of what the pipeline holds.
func (w *walk) beside(n int) int {
	words := (n + wordBits - 1) / wordBits
	tables := w.a.model.Dispatch.Tables
	return 2*words + (words*wordBits+w.a.p.StreamBits-1)/w.a.p.StreamBits + w.inputs*inputCycles*w.slots/(w.slots+tables)
}

// next is the edge of the next request; false while the queue of operations is full:
// the operation before it has to be in the queue, with one more at its end.
func (w *walk) next() (edge int64, ok bool) {
	if !w.known {
		w.known = true
		w.clock += w.cost()
	}
	if len(w.ops) > 0 {
		done, ok := w.a.reducer.doneAt(w.base + w.op - dispatch.OpsDepth(w.a.p) - 2)
		if !ok {
			return 0, false
		}
		w.clock = max(w.clock, done+placeCycles)
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
	w.clock = max(w.clock, edge-dispatch.RowsDepth)
}
