package pictures

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hotline-rtl/hotline/host/ui/picture"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// diagram describes a timing diagram of the run.
type diagram struct {
	file, title, text string
	windows           []window
	signals           []signal
	follow            []event // arrows lead from each event to the next
	notes             []note
}

// window selects cycles: the first cycle after the previous window in which signals have values,
// some cycles before it, and a number of cycles from there.
type window struct {
	when           map[string]uint64
	before, cycles uint64
}

// signal is a row of a diagram. It is shown in the cycles in which the bit valid is 1, or always.
type signal struct {
	group, name string
	path, valid string
	bits        int // number of low bits that are shown; 0 for all
}

// event is the first cycle after the previous event in which a row shows a value.
type event struct{ name, value string }

// note explains an event.
type note struct {
	event
	text string
}

// paths lists all signals that a diagram reads.
func (d diagram) paths() (list []string) {
	for _, w := range d.windows {
		list = slices.AppendSeq(list, maps.Keys(w.when))
	}
	for _, s := range d.signals {
		list = append(list, s.path)
		if s.valid != "" {
			list = append(list, s.valid)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// run contains the values of signals in each cycle.
type run map[string]wave.Row

func newRun(t *wave.Trace) run {
	r := run{}
	for _, row := range t.Rows(0, t.Cycles()) {
		r[row.Name] = row
	}
	return r
}

// is reports whether a signal has a value.
func (r run) is(path string, cycle, value uint64) bool {
	v := r[path].Values[cycle]
	return v != nil && v[0] == value
}

// draw draws the diagram of a run.
func (d diagram) draw(r run) (string, error) {
	t := picture.Timing{Title: d.title, Text: d.text}
	var err error
	if t.Cycles, err = d.cycles(r); err != nil {
		return "", fmt.Errorf("%s: %w", d.file, err)
	}
	for _, s := range d.signals {
		t.Signals = append(t.Signals, s.row(r, t.Cycles))
	}
	var last place
	for i, e := range d.follow {
		at, err := find(t, e, last.cycle)
		if err != nil {
			return "", fmt.Errorf("%s: %w", d.file, err)
		}
		if i > 0 {
			t.Arrows = append(t.Arrows, picture.TimingArrow{From: last.signal, FromCycle: last.cycle, To: at.signal, ToCycle: at.cycle})
		}
		last = at
	}
	last = place{}
	for _, n := range d.notes {
		if last, err = find(t, n.event, last.cycle); err != nil {
			return "", fmt.Errorf("%s: %w", d.file, err)
		}
		t.Notes = append(t.Notes, picture.TimingNote{Signal: last.signal, Text: n.text})
	}
	return picture.File(t.SVG()), nil
}

// cycles returns the cycles of the windows.
func (d diagram) cycles(r run) (list []uint64, err error) {
	next := uint64(0)
	for _, w := range d.windows {
		at, ok := w.find(r, next)
		if !ok {
			return nil, fmt.Errorf("no cycle from %d has %v", next, w.when)
		}
		next = at - w.before + w.cycles
		for n := at - w.before; n < next; n++ {
			list = append(list, n)
		}
	}
	return list, nil
}

// find returns the first cycle in which the signals have the values.
func (w window) find(r run, from uint64) (cycle uint64, ok bool) {
	total := uint64(0)
	for path := range w.when {
		total = uint64(len(r[path].Values))
	}
	for n := from; n < total; n++ {
		met := true
		for path, value := range w.when {
			met = met && r.is(path, n, value)
		}
		if met {
			return n, true
		}
	}
	return 0, false
}

// row returns the values in the given cycles.
func (s signal) row(r run, cycles []uint64) picture.TimingSignal {
	from := r[s.path]
	row := wave.Row{}
	for _, n := range cycles {
		v := slices.Clone(from.Values[n])
		if s.valid != "" && !r.is(s.valid, n, 1) {
			v = nil
		}
		if s.bits > 0 && v != nil {
			v = []uint64{v[0] & (1<<s.bits - 1)}
		}
		row.Values = append(row.Values, v)
	}
	return picture.TimingSignal{Group: s.group, Name: s.name, Bit: from.Width == 1, Values: row.Hex()}
}

// place is a cycle of a row.
type place struct{ signal, cycle int }

// find returns the first cycle from the given one in which a row begins to show a value.
func find(t picture.Timing, e event, from int) (place, error) {
	for i, s := range t.Signals {
		if s.Name != e.name {
			continue
		}
		for n := from; n < len(s.Values); n++ {
			if s.Values[n] == e.value {
				return place{i, n}, nil
			}
		}
	}
	return place{}, fmt.Errorf("row %q does not show %q from cycle %d of the diagram", e.name, e.value, from)
}
