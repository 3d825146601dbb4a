package model

import (
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// Trace gives the ports and registers of a model to a wave.Recorder.
type Trace struct {
	s     sim.Inspector
	r     wave.Recorder
	ports []sim.Port
	regs  []int // numbers in State
	last  [][]uint64
	buf   []uint64 // as long as the longest port
	begun bool
}

// NewTrace announces the signals of s to r. The error is r's.
func NewTrace(s sim.Inspector, r wave.Recorder) (*Trace, error) {
	t := &Trace{s: s, r: r, ports: s.Ports()}
	var signals []wave.Signal
	add := func(x wave.Signal) {
		signals = append(signals, x)
		t.last = append(t.last, make([]uint64, ir.Words(x.Width)))
	}
	for _, p := range t.ports {
		add(wave.Signal{Path: []string{p.Name}, Width: p.Type.Bits()})
		t.buf = make([]uint64, max(len(t.buf), ir.Words(p.Type.Bits())))
	}
	for i, x := range s.State() {
		if x.Depth == 0 {
			t.regs = append(t.regs, i)
			add(wave.Signal{Path: strings.Split(x.Path, "."), Width: x.Width, Reg: true})
		}
	}
	return t, r.Begin("top", signals)
}

// Cycle records the present values as those of cycle n.
func (t *Trace) Cycle(n uint64) {
	t.r.Cycle(n)
	for i := range t.ports {
		x := t.buf[:len(t.last[i])]
		t.s.Get(i, x)
		t.change(i, x)
	}
	for k, i := range t.regs {
		t.change(len(t.ports)+k, t.s.Read(i, 0))
	}
	t.begun = true
}

func (t *Trace) change(signal int, x []uint64) {
	if t.begun && bv.Equal(x, t.last[signal]) {
		return
	}
	copy(t.last[signal], x)
	t.r.Change(signal, x)
}
