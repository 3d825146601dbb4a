package cover

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// Recorder records the coverage of one simulation of a Plan's design. It is a wave.Recorder, so any
// engine that records ports and registers can drive it.
type Recorder struct {
	plan    *Plan
	seen    []seen  // by point
	signals []place // location of each of the engine's signals
	rst     int     // index of the reset among signals, or -1
	cycles  uint64
	first   uint64 // first cycle after the reset, counted from 1; 0 before
}

// seen is the coverage of a point.
type seen struct {
	last, rise, fall []uint64 // the value, and the bits that rose and fell
	values           []bool   // by named value
	times            uint64   // number of times a condition became true; consecutive cycles count once
}

// place is the location of an engine's signal in a point: the whole point, or an element starting
// at bit lo. A point of -1 means that the signal is not covered.
type place struct {
	point   int
	element bool
	lo      int
}

// Recorder returns a new recorder for one simulation.
func (p *Plan) Recorder() *Recorder {
	r := &Recorder{plan: p, seen: make([]seen, len(p.points))}
	for i, x := range p.points {
		n := ir.Words(x.width)
		s := seen{last: make([]uint64, n), rise: make([]uint64, n), fall: make([]uint64, n)}
		if x.sig.Enum != nil {
			s.values = make([]bool, len(x.sig.Enum.Values))
		}
		r.seen[i] = s
	}
	return r
}

// Begin implements wave.Recorder.
func (r *Recorder) Begin(_ string, signals []wave.Signal) error {
	r.rst, r.signals = -1, nil
	for i, s := range signals {
		to := r.plan.find(s)
		if to.point < 0 && len(s.Path) == 1 && s.Path[0] == ir.ResetPort.Name && r.plan.Design.Top.Reset {
			r.rst = i
		}
		r.signals = append(r.signals, to)
	}
	if r.rst < 0 {
		r.first = 1
	}
	return nil
}

// find returns the location of an engine's signal.
func (p *Plan) find(s wave.Signal) place {
	path := strings.Join(s.Path, ".")
	if i, ok := p.at[path]; ok {
		return place{point: i}
	}
	if name, index, ok := strings.Cut(strings.TrimSuffix(path, "]"), "["); ok && len(s.Path) == 1 {
		k, err := strconv.Atoi(index)
		if i, ok := p.at[name]; ok && err == nil {
			return place{i, true, k * s.Width}
		}
	}
	return place{point: -1}
}

// Cycle implements wave.Recorder. Cycles that an engine skips count, too.
func (r *Recorder) Cycle(n uint64) {
	if r.cycles > 0 && r.cycles == r.first {
		r.noteAll()
	}
	r.cycles = n + 1
}

// Change implements wave.Recorder. An engine reports the reset before other signals.
func (r *Recorder) Change(i int, value []uint64) {
	if i == r.rst && value[0] == 0 && r.first == 0 {
		r.first = r.cycles
	}
	to := r.signals[i]
	if to.point < 0 {
		return
	}
	x, s := r.plan.points[to.point], &r.seen[to.point]
	if to.element {
		value = with(s.last, to.lo, value, x.sig.Type.Width)
	}
	after := r.first > 0 && r.cycles > r.first // changes up to the first cycle are due to the reset
	if after {
		s.change(value)
	}
	copy(s.last, value)
	if after {
		s.note(x.sig.Enum)
	}
}

// with returns a copy of x with width bits replaced, starting at bit lo.
func with(x []uint64, lo int, bits []uint64, width int) []uint64 {
	out := slices.Clone(x)
	for k := range width {
		at := lo + k
		out[at/64] = out[at/64]&^(1<<(at%64)) | bits[k/64]>>(k%64)&1<<(at%64)
	}
	return out
}

// noteAll records the named values of the first cycle.
func (r *Recorder) noteAll() {
	for i, x := range r.plan.points {
		r.seen[i].note(x.sig.Enum)
	}
}

// change records which bits rise and fall.
func (s *seen) change(value []uint64) {
	for k, v := range value {
		s.rise[k] |= v &^ s.last[k]
		s.fall[k] |= s.last[k] &^ v
	}
	if value[0] == 1 && s.last[0] == 0 {
		s.times++
	}
}

// note records the current value if it has a name.
func (s *seen) note(e *ir.Enum) {
	for i := range s.values {
		if e.Values[i].Value == s.last[0] {
			s.values[i] = true
		}
	}
}
