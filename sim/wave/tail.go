package wave

import (
	"fmt"
	"slices"
	"strings"
)

// Tail keeps the last cycles of selected signals; its String method draws them.
type Tail struct {
	depth  int
	names  []string
	rows   []Row
	of     map[int][]int // maps a signal to its rows
	next   uint64        // cycle after the last recorded cycle
	cycles int           // number of cycles kept
}

// NewTail returns a recorder that keeps the last n cycles of the signals with the given
// dot-separated paths, in this order. Without paths, it keeps all signals.
func NewTail(n int, paths ...string) *Tail { return &Tail{depth: n, names: paths, of: map[int][]int{}} }

// Begin implements Recorder. It fails if a path does not exist.
func (t *Tail) Begin(_ string, signals []Signal) error {
	paths := make([]string, len(signals))
	for i, s := range signals {
		paths[i] = strings.Join(s.Path, ".")
	}
	if len(t.names) == 0 {
		t.names = paths
	}
	for row, name := range t.names {
		i := slices.Index(paths, name)
		if i < 0 {
			return fmt.Errorf("wave: no signal %q", name)
		}
		t.rows = append(t.rows, Row{Name: name, Width: signals[i].Width})
		t.of[i] = append(t.of[i], row)
	}
	return nil
}

// Cycle implements Recorder. All values repeat the previous cycle until Change.
func (t *Tail) Cycle(n uint64) {
	for i := range t.rows {
		r := &t.rows[i]
		var last []uint64
		if len(r.Values) > 0 {
			last = r.Values[len(r.Values)-1]
		}
		if len(r.Values) == t.depth {
			r.Values = append(r.Values[:0], r.Values[1:]...)
		}
		r.Values = append(r.Values, last)
	}
	t.next = n + 1
	t.cycles = min(t.cycles+1, t.depth)
}

// Change implements Recorder.
func (t *Tail) Change(signal int, value []uint64) {
	for _, row := range t.of[signal] {
		values := t.rows[row].Values
		values[len(values)-1] = slices.Clone(value)
	}
}

// String draws the recorded cycles.
func (t *Tail) String() string { return Text(t.next-uint64(t.cycles), t.rows) }
