package functional

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// walk says when the requests of a command are made: the memory controller finds
// inputs, or takes entries of an update list, walks round the lookups of a group of
// them, and emits a read with its operation a cycle, as long as the queue of operations
// has room.
type walk struct {
	a     *Accel
	clock int64 // edge of the latest request
	known bool  // it is that of the next one

	ops  []reduce.Operation
	base int // number of the first in the reducer's count
	row  int // number of the next request

	find
	slots, group int     // rows of an input; inputs of a group
	listed       []int64 // edges at which the groups left the walker
}

// find says when the walker finds inputs: it takes a cycle to read a line of the bitmap,
// one for each word of it and another to leave that, two for an input.
type find struct {
	inputs []int   // that are found: their numbers
	all    int     // that are looked at
	line   int     // words of a line of the bitmap; 0 in an update
	found  []int64 // edges from which on inputs are known, as far as is known
	word   int     // being looked at
	edge   int64   // at which the next is looked for
}

// walk is that of the command at hand, before the reducer has its operations.
func (a *Accel) walk(e dispatch.Effect) walk {
	w := walk{a: a, clock: a.edge(), ops: e.Ops, base: a.reducer.asked}
	n := int(a.now.cmd.Operand2)
	switch a.now.cmd.Opcode {
	case arch.Update:
		w.slots, w.find = len(e.Rows)/n, find{inputs: make([]int, n), all: n, edge: a.edge() + updateCycles}
		for i := range w.inputs {
			w.inputs[i] = i
		}
	case arch.Gather:
		w.slots, w.find = a.model.Dispatch.Slots, find{inputs: e.Inputs, all: n, line: a.p.StreamBits / wordBits, edge: a.edge() + bitmapCycles}
	default:
		return w
	}
	w.group = a.model.Dispatch.Group()
	if len(w.inputs) == 0 {
		a.now.until = w.end()
	}
	return w
}

// next is the edge of the next request; false while the queue of operations is full:
// the operation before it has to be in the queue, with one more at its end.
func (w *walk) next() (edge int64, ok bool) {
	if !w.known {
		w.known = true
		w.clock = max(w.clock+1, w.inputKnown())
	}
	if len(w.ops) > 0 {
		done, ok := w.a.reducer.doneAt(w.base + w.row - dispatch.OpsDepth(w.a.p) - 2)
		if !ok {
			return 0, false
		}
		w.clock = max(w.clock, done+placeCycles)
	}
	return w.clock, true
}

// inputKnown is the edge from which on the next request can be made as far as the walker
// goes: with the first slot of an input, it must know whether another one follows in the
// group.
func (w *walk) inputKnown() int64 {
	if w.slots == 0 {
		return 0
	}
	first := w.row / (w.group * w.slots) * w.group
	in := w.row - first*w.slots
	if in >= min(w.group, len(w.inputs)-first) {
		return 0 // not the first slot
	}
	if in < w.group-1 {
		in++
	}
	return w.knownAt(first+in) + listCycles
}

// knownAt is the edge from which on it is known of the input of a number whether there
// is one.
func (w *walk) knownAt(input int) int64 {
	for len(w.found) <= min(input, len(w.inputs)-1) { // groups before that of the input are listed
		i := len(w.found)
		w.skip(w.inputs[i] / wordBits)
		w.edge += 2
		if before := i - 2*arch.MostGroup; before >= 0 { // its place in the ring is that of another
			w.edge = max(w.edge, w.listed[before/w.group]+2)
		}
		w.found = append(w.found, w.edge)
		if i == len(w.inputs)-1 {
			w.a.now.until = w.end()
		}
	}
	if input >= len(w.inputs) {
		return w.a.now.until + 1
	}
	return w.found[input]
}

// skip goes on to a word of the bitmap.
func (f *find) skip(word int) {
	for ; f.word < word; f.word++ {
		f.edge += 2
		if f.line > 0 && (f.word+1)%f.line == 0 {
			f.edge++
		}
	}
}

// end is the edge at which the last word is found to have no more inputs.
func (f *find) end() int64 {
	f.skip((f.all - 1) / wordBits)
	return f.edge
}

// sent notes that the request has left. The controller runs no more than a few
// requests ahead.
func (w *walk) sent(edge int64) {
	w.known = false
	w.row++
	if w.slots > 0 && (w.row%(w.group*w.slots) == 0) {
		w.listed = append(w.listed, w.clock-listCycles)
	}
	w.clock = max(w.clock, edge-dispatch.RowsDepth)
}
