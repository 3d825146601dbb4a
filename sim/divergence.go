package sim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bv"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// Divergence is the first difference between two engines.
type Divergence struct {
	Cycle      uint64
	Path       string // of the port, register or memory word
	A, B       string // names of the engines
	ValueA     []uint64
	ValueB     []uint64
	UnknownB   []uint64 // mask of the bits of B that are X or Z; nil if all are known
	Pos        ir.Pos   // declaration of the port or register
	Wave       string   // drawing of the ports in the last cycles
	isRegister bool
}

// Error names the cycle, the location and both values, and appends the drawing of the last cycles.
func (d *Divergence) Error() string {
	kind := "output"
	if d.isRegister {
		kind = "state"
	}
	return fmt.Sprintf("cycle %d: %s %s (%s): %s has %s, %s has %s\n%s", d.Cycle, kind, d.Path, d.Pos,
		d.A, wave.Hex(d.ValueA), d.B, hexUnknown(d.ValueB, d.UnknownB), d.Wave)
}

// hexUnknown formats v in hexadecimal. Digits that contain unknown bits are printed as x.
func hexUnknown(v, unknown []uint64) string {
	if unknown == nil {
		return wave.Hex(v)
	}
	s := ""
	for i := len(v) - 1; i >= 0; i-- {
		for shift := 60; shift >= 0; shift -= 4 {
			switch digit := v[i] >> shift & 15; {
			case unknown[i]>>shift&15 != 0:
				s += "x"
			case s != "" || digit != 0:
				s += fmt.Sprintf("%x", digit)
			}
		}
	}
	if s == "" {
		return "0"
	}
	return s
}

// historyCycles is the number of cycles that a report shows.
const historyCycles = 8

// history keeps the frames of the last cycles, oldest first.
type history struct {
	f       *Format
	in      [][]uint64
	out     [2][][]uint64
	unknown [][]uint64        // masks of unknown bits in the second engine's outputs
	pos     map[string]ir.Pos // by port
	engines [2]string
}

func newHistory(f *Format, d *ir.Design, a, b string) *history {
	h := &history{f: f, pos: map[string]ir.Pos{}, engines: [2]string{a, b}}
	for _, p := range d.Top.Ports {
		h.pos[p.Name] = p.Pos
	}
	return h
}

// push appends one cycle and copies the frames. The mask unknown refers to the bits of b.
func (h *history) push(in, a, b, unknown []uint64) {
	h.in = shifted(h.in, in)
	h.out[0], h.out[1] = shifted(h.out[0], a), shifted(h.out[1], b)
	h.unknown = shifted(h.unknown, unknown)
}

func shifted(list [][]uint64, frame []uint64) [][]uint64 {
	if len(list) < historyCycles {
		return append(list, append([]uint64(nil), frame...))
	}
	oldest := list[0]
	copy(list, list[1:])
	copy(oldest, frame)
	list[len(list)-1] = oldest
	return list
}

// port returns the divergence of output x in the last cycle of the history.
func (h *history) port(cycle uint64, x Field) *Divergence {
	d := h.divergence(cycle, h.f.Ports[x.Port].Name)
	d.Pos = h.pos[d.Path]
	last := len(h.in) - 1
	d.ValueA, d.ValueB = clone(x.Of(h.out[0][last])), clone(x.Of(h.out[1][last]))
	if u := x.Of(h.unknown[last]); !bv.IsZero(u) {
		d.UnknownB = clone(u)
	}
	return d
}

func (h *history) divergence(cycle uint64, path string) *Divergence {
	return &Divergence{Cycle: cycle, Path: path, A: h.engines[0], B: h.engines[1], Wave: h.draw(cycle)}
}

func clone(x []uint64) []uint64 { return append([]uint64(nil), x...) }

// draw draws the reset and all inputs that are nonzero in some cycle. An output appears for both
// engines where they differ, and once if it is nonzero in some cycle.
func (h *history) draw(cycle uint64) string {
	rows := []wave.Row{{Name: "rst", Width: 1, Values: column(h.in, Field{Words: 1})}}
	for _, x := range h.f.In {
		if v := column(h.in, x); !allZero(v) {
			rows = append(rows, h.row(x, "", v))
		}
	}
	for _, x := range h.f.Out {
		a, b := column(h.out[0], x), column(h.out[1], x)
		for i, u := range h.unknown {
			if !bv.IsZero(x.Of(u)) {
				b[i] = nil
			}
		}
		switch {
		case differ(a, b):
			rows = append(rows, h.row(x, " "+h.engines[0], a), h.row(x, " "+h.engines[1], b))
		case !allZero(a):
			rows = append(rows, h.row(x, "", a))
		}
	}
	return wave.Text(cycle+1-uint64(len(h.in)), rows)
}

func (h *history) row(x Field, suffix string, values [][]uint64) wave.Row {
	p := h.f.Ports[x.Port]
	return wave.Row{Name: p.Name + suffix, Width: p.Type.Bits(), Values: values}
}

func column(frames [][]uint64, x Field) [][]uint64 {
	out := make([][]uint64, len(frames))
	for i, f := range frames {
		out[i] = x.Of(f)
	}
	return out
}

func allZero(values [][]uint64) bool {
	for _, v := range values {
		if !bv.IsZero(v) {
			return false
		}
	}
	return true
}

func differ(a, b [][]uint64) bool {
	for i := range a {
		if b[i] == nil || !bv.Equal(a[i], b[i]) {
			return true
		}
	}
	return false
}
