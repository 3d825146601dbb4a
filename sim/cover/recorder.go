package cover

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// Recorder notes what happens in one simulation of a Plan's design, by an engine that tells
// of ports and registers. It is a wave.Recorder.
type Recorder struct {
	plan    *Plan
	seen    []seen  // by point
	signals []place // of the engine, where they belong
	rst     int     // number of the reset among them, or -1
	cycles  uint64
	first   uint64 // cycle out of reset, counted from 1; 0 before
}

// seen is what has been seen of a point.
type seen struct {
	last, rise, fall []uint64 // the value, and the bits that rose and fell
	values           []bool   // of those that have names
	times            uint64   // that a condition was met, in one cycle or several in a row
}

// place is the part of a point that a signal of the engine is: all, or an element from bit lo
// on. No point has the number -1.
type place struct {
	point   int
	element bool
	lo      int
}

// Recorder begins to look at a simulation.
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

// find is where a signal of an engine belongs.
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

// Cycle implements wave.Recorder. Cycles that an engine lets pass at once count, too.
func (r *Recorder) Cycle(n uint64) {
	if r.cycles > 0 && r.cycles == r.first {
		r.noteAll()
	}
	r.cycles = n + 1
}

// Change implements wave.Recorder. An engine tells of the reset before other signals.
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
	after := r.first > 0 && r.cycles > r.first // what changes into the first cycle is the reset's doing
	if after {
		s.change(value)
	}
	copy(s.last, value)
	if after {
		s.note(x.sig.Enum)
	}
}

// with is x with other bits from lo on.
func with(x []uint64, lo int, bits []uint64, width int) []uint64 {
	out := slices.Clone(x)
	for k := range width {
		at := lo + k
		out[at/64] = out[at/64]&^(1<<(at%64)) | bits[k/64]>>(k%64)&1<<(at%64)
	}
	return out
}

// noteAll notes the values of the first cycle.
func (r *Recorder) noteAll() {
	for i, x := range r.plan.points {
		r.seen[i].note(x.sig.Enum)
	}
}

// change notes which bits rise and fall.
func (s *seen) change(value []uint64) {
	for k, v := range value {
		s.rise[k] |= v &^ s.last[k]
		s.fall[k] |= s.last[k] &^ v
	}
	if value[0] == 1 && s.last[0] == 0 {
		s.times++
	}
}

// note notes a value that has a name.
func (s *seen) note(e *ir.Enum) {
	for i := range s.values {
		if e.Values[i].Value == s.last[0] {
			s.values[i] = true
		}
	}
}
