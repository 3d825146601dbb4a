package xbar_test

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
	"github.com/hotline-rtl/hotline/hw/lib/xbar"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bench"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// model is a cycle-accurate Go model of the switch.
type model struct {
	p     xbar.Xbar[hw.Bits]
	dests []modelDest
}

type modelDest struct {
	groups   []modelGroup
	last     int // the group served last
	occupied bool
	word     uint64 // in the output register
}

type modelGroup struct {
	queue []uint64 // the first word is in the register after the memory if loaded is set
	last  int      // the source served last

	loaded bool
}

func newModel(p xbar.Xbar[hw.Bits]) *model {
	m := &model{p: p, dests: make([]modelDest, p.Dests)}
	for j := range m.dests {
		d := &m.dests[j]
		d.groups, d.last = make([]modelGroup, p.Groups), p.Groups-1
		for g := range d.groups {
			d.groups[g].last = p.Sources/p.Groups - 1
		}
	}
	return m
}

// inputs are the inputs from sources and receivers in a cycle.
type inputs struct {
	valid, ready []bool
	dest, data   []uint64
}

// step computes one cycle of the switch: which sources it takes a word from, and its outputs.
func (m *model) step(in inputs) (taken, valid []bool, out []uint64) {
	taken, valid, out = make([]bool, m.p.Sources), make([]bool, m.p.Dests), make([]uint64, m.p.Dests)
	size := m.p.Sources / m.p.Groups
	for j := range m.dests {
		d := &m.dests[j]
		valid[j], out[j] = d.occupied, d.word
		served := -1
		if !d.occupied || in.ready[j] {
			d.occupied = false
			served = next(m.p.Groups, d.last, func(g int) bool { return d.groups[g].loaded })
		}
		for g := range d.groups {
			q := &d.groups[g]
			stored := len(q.queue)
			if q.loaded {
				stored--
			}
			room := stored < m.p.Depth
			q.loaded = stored > 0 || q.loaded && g != served
			if g == served {
				d.occupied, d.word, d.last = true, q.queue[0], g
				q.queue = q.queue[1:]
			}
			k := next(size, q.last, func(k int) bool { return in.valid[g*size+k] && in.dest[g*size+k] == uint64(j) })
			if k >= 0 && room {
				i := g*size + k
				q.queue, q.last, taken[i] = append(q.queue, in.data[i]), k, true
			}
		}
	}
	return taken, valid, out
}

// next returns the first position after last in a circle of n for which want holds, or -1.
func next(n, last int, want func(int) bool) int {
	for k := 1; k <= n; k++ {
		if i := (last + k) % n; want(i) {
			return i
		}
	}
	return -1
}

// lockstep compares a running switch with the model before each clock edge.
func lockstep(b *bench.Bench, p xbar.Xbar[hw.Bits]) func() error {
	m := newModel(p)
	inValid, inReady, inDest, inData := b.Pin("in_valid"), b.Pin("in_ready"), b.Pin("in_dest"), b.Pin("in_data")
	outValid, outReady, outData := b.Pin("out_valid"), b.Pin("out_ready"), b.Pin("out_data")
	return func() error {
		in := inputs{flags(inValid, p.Sources), flags(outReady, p.Dests), numbers(inDest, p.Sources, hw.IndexWidth(p.Dests)), numbers(inData, p.Sources, p.Of.Bits())}
		taken, valid, out := m.step(in)
		ready, gotValid, gotData := flags(inReady, p.Sources), flags(outValid, p.Dests), numbers(outData, p.Dests, p.Of.Bits())
		for i := range taken {
			if got := in.valid[i] && ready[i]; got != taken[i] {
				return fmt.Errorf("source %d taken: %v, want %v", i, got, taken[i])
			}
		}
		for j := range valid {
			if gotValid[j] != valid[j] || valid[j] && gotData[j] != out[j] {
				return fmt.Errorf("output %d: %v %x, want %v %x", j, gotValid[j], gotData[j], valid[j], out[j])
			}
		}
		return nil
	}
}

func flags(p sim.Pin, n int) []bool {
	out := make([]bool, n)
	for i, x := range numbers(p, n, 1) {
		out[i] = x != 0
	}
	return out
}

func numbers(p sim.Pin, n, width int) []uint64 {
	words := p.Words()
	out := make([]uint64, n)
	for i := range out {
		x := make([]uint64, 1)
		bv.Slice(x, words, i*width, width)
		out[i] = x[0]
	}
	return out
}
