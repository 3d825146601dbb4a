package wave

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Trace keeps all changes of selected signals.
type Trace struct {
	names   []string
	signals []history
	of      map[int][]int // maps a signal of the recording to its histories
	cycle   uint64        // the latest cycle
	some    bool          // there was a cycle
}

// history contains the changes of a signal.
type history struct {
	width   int
	changes []change // in ascending order of their cycles
}

type change struct {
	cycle uint64
	value []uint64 // nil if unknown
}

// NewTrace returns a recorder that keeps all changes of the signals with the given dot-separated
// paths.
func NewTrace(paths ...string) *Trace { return &Trace{names: paths, of: map[int][]int{}} }

// Begin implements Recorder. It fails if a path does not exist.
func (t *Trace) Begin(_ string, signals []Signal) error {
	at := map[string]int{}
	for i, s := range signals {
		at[strings.Join(s.Path, ".")] = i
	}
	for k, name := range t.names {
		i, ok := at[name]
		if !ok {
			return fmt.Errorf("wave: no signal %q", name)
		}
		t.signals = append(t.signals, history{width: signals[i].Width})
		t.of[i] = append(t.of[i], k)
	}
	return nil
}

// Cycle implements Recorder.
func (t *Trace) Cycle(n uint64) { t.cycle, t.some = n, true }

// Change implements Recorder. A nil value is unknown.
func (t *Trace) Change(signal int, value []uint64) {
	for _, k := range t.of[signal] {
		t.signals[k].set(t.cycle, slices.Clone(value))
	}
}

// set records a value. The last value of a cycle counts.
func (h *history) set(cycle uint64, value []uint64) {
	if n := len(h.changes); n > 0 && h.changes[n-1].cycle == cycle {
		h.changes[n-1].value = value
		return
	}
	h.changes = append(h.changes, change{cycle, value})
}

// at returns the value in a cycle.
func (h *history) at(cycle uint64) []uint64 {
	i := sort.Search(len(h.changes), func(i int) bool { return h.changes[i].cycle > cycle })
	if i == 0 {
		return nil
	}
	return h.changes[i-1].value
}

// Cycles returns the number of cycles from cycle 0 to the end of the recording.
func (t *Trace) Cycles() uint64 {
	if !t.some {
		return 0
	}
	return t.cycle + 1
}

// Rows returns the values of the signals in the cycles from, ..., to-1.
func (t *Trace) Rows(from, to uint64) []Row {
	rows := make([]Row, len(t.names))
	for k, name := range t.names {
		rows[k] = Row{Name: name, Width: t.signals[k].width}
		for n := from; n < to; n++ {
			rows[k].Values = append(rows[k].Values, t.signals[k].at(n))
		}
	}
	return rows
}
