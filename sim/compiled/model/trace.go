package model

import (
	"math/bits"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
	"github.com/hotline-rtl/hotline/sim/wave"
)

// Trace sends the ports, the reset and the registers of a model to a wave.Recorder. It examines
// only registers that may have changed.
type Trace struct {
	s       sim.Inspector
	r       wave.Recorder
	states  *States
	commits [][]int // groups of registers by commit
	ports   []sim.Port
	regs    int        // number of registers, whose signals follow the ports
	rst     bool       // the reset is recorded, as the last signal
	last    [][]uint64 // last values by signal
	buf     []uint64   // as long as the longest port
	reset   [1]uint64
	stale   []uint64 // commits since the last cycle
	all     bool     // any register may have changed
	begun   bool
}

// NewTrace announces the signals of s to r under the name of the top module. If rst is set, the
// design has a reset. The list commits contains the groups of registers that belong to each commit.
// The error is r's.
func NewTrace(s sim.Inspector, states *States, commits [][]int, top string, rst bool, r wave.Recorder) (*Trace, error) {
	t := &Trace{s: s, r: r, states: states, commits: commits, ports: s.Ports(), rst: rst, all: true}
	var signals []wave.Signal
	add := func(x wave.Signal) {
		signals = append(signals, x)
		t.last = append(t.last, make([]uint64, ir.Words(x.Width)))
	}
	for _, p := range t.ports {
		add(wave.Signal{Path: []string{p.Name}, Width: p.Type.Bits()})
		t.buf = make([]uint64, max(len(t.buf), ir.Words(p.Type.Bits())))
	}
	for _, x := range states.List {
		if x.Depth == 0 { // registers precede memories
			add(wave.Signal{Path: strings.Split(x.Path, "."), Width: x.Width, Reg: true})
			t.regs++
		}
	}
	if rst {
		add(wave.Signal{Path: []string{"rst"}, Width: 1})
	}
	return t, r.Begin(top, signals)
}

// Cycle records the current values as the values of cycle n.
func (t *Trace) Cycle(n uint64, reset bool) {
	t.r.Cycle(n)
	if t.rst {
		t.reset[0] = 0
		if reset {
			t.reset[0] = 1
		}
		t.change(len(t.last)-1, t.reset[:])
	}
	for i := range t.ports {
		x := t.buf[:len(t.last[i])]
		t.s.Get(i, x)
		t.change(i, x)
	}
	if t.all {
		t.registers(0, t.regs)
	}
	for w, m := range t.stale {
		for ; m != 0 && !t.all; m &= m - 1 {
			for _, g := range t.commits[64*w+bits.TrailingZeros64(m)] {
				t.registers(t.states.span(g))
			}
		}
	}
	t.begun, t.all = true, false
}

// Edge records which registers a clock edge may change: the registers of the commits whose bits are
// set, or all.
func (t *Trace) Edge(commits []uint64, all bool) {
	t.stale = append(t.stale[:0], commits...)
	t.all = t.all || all
}

// registers records the changed registers in the given range.
func (t *Trace) registers(from, to int) {
	for i := from; i < to; i++ {
		t.change(len(t.ports)+i, t.s.Read(i, 0))
	}
}

func (t *Trace) change(signal int, x []uint64) {
	if t.begun && bv.Equal(x, t.last[signal]) {
		return
	}
	copy(t.last[signal], x)
	t.r.Change(signal, x)
}
