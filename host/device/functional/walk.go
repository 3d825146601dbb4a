package functional

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/dispatch"
	"github.com/hotline-rtl/hotline/hw/hotline/reduce"
)

// walk models the timing of a command's row requests. The memory controller finds inputs, or takes
// entries of an update list. It walks round-robin through the lookups of a group of inputs. It
// emits a read with its operation per cycle, while the queue of operations is not full.
type walk struct {
	a     *Accel
	clock int64 // edge of the latest request
	known bool  // clock is the edge of the next request

	ops  []reduce.Operation
	base int // number of the first operation in the reducer's count
	row  int // number of the next request

	find
	slots, group int     // rows per input; inputs per group
	listed       []int64 // edges at which the groups left the walker
}

// find models the timing of the walker's search for inputs. It takes one cycle to read a line of
// the bitmap, two cycles to enter and leave each word, and two cycles per input.
type find struct {
	inputs []int   // indices of the inputs found
	all    int     // number of inputs searched
	line   int     // words per line of the bitmap; 0 in an update
	found  []int64 // edges from which inputs are known, for a prefix of inputs
	word   int     // current word
	edge   int64   // edge of the next search step
}

// walk returns the walk of the current command. The reducer must not have its operations yet.
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

// next returns the edge of the next request. It returns false while the queue of operations is
// full. In a full queue, the preceding operation is the last entry, and one further operation is at
// the reducer.
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

// inputKnown returns the edge from which the walker can make the next request. At the first slot of
// an input, it must know whether another input follows in the group.
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

// knownAt returns the edge from which it is known whether the input with a number exists.
func (w *walk) knownAt(input int) int64 {
	for len(w.found) <= min(input, len(w.inputs)-1) { // all groups before the input's group are listed
		i := len(w.found)
		w.skip(w.inputs[i] / wordBits)
		w.edge += 2
		if before := i - 2*arch.MostGroup; before >= 0 { // its place in the ring belongs to input before
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

// skip advances to a word of the bitmap.
func (f *find) skip(word int) {
	for ; f.word < word; f.word++ {
		f.edge += 2
		if f.line > 0 && (f.word+1)%f.line == 0 {
			f.edge++
		}
	}
}

// end returns the edge at which the search of the last word ends.
func (f *find) end() int64 {
	f.skip((f.all - 1) / wordBits)
	return f.edge
}

// sent records that the request was sent. The controller runs at most a few requests ahead.
func (w *walk) sent(edge int64) {
	w.known = false
	w.row++
	if w.slots > 0 && (w.row%(w.group*w.slots) == 0) {
		w.listed = append(w.listed, w.clock-listCycles)
	}
	w.clock = max(w.clock, edge-dispatch.RowsDepth)
}
