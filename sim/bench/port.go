package bench

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// Item is the payload of a transfer: the little-endian words of each payload port in order.
type Item []uint64

// port is a port whose value is divided evenly into lanes.
type port struct {
	sim   sim.Simulator
	index int
	width int // of a lane, in bits
	buf   []uint64
}

func newPort(s sim.Simulator, name string, lanes int) *port {
	for i, p := range s.Ports() {
		if p.Name == name {
			n := p.Type.Bits()
			if n%lanes != 0 {
				panic("bench: port " + name + " cannot be divided among the lanes")
			}
			return &port{sim: s, index: i, width: n / lanes, buf: make([]uint64, ir.Words(n))}
		}
	}
	panic("bench: no port " + name)
}

// lanesOf returns the number of bits of a valid port.
func lanesOf(s sim.Simulator, valid string) int {
	for _, p := range s.Ports() {
		if p.Name == valid {
			return p.Type.Bits()
		}
	}
	panic("bench: no port " + valid)
}

func (p *port) set() { p.sim.Set(p.index, p.buf) }
func (p *port) get() { p.sim.Get(p.index, p.buf) }

func (p *port) bit(lane int) bool { return p.buf[lane/64]>>(lane%64)&1 != 0 }

func (p *port) setBit(lane int, on bool) {
	if on {
		p.buf[lane/64] |= 1 << (lane % 64)
	} else {
		p.buf[lane/64] &^= 1 << (lane % 64)
	}
}

// payload lists the ports that carry an item.
type payload []*port

func newPayload(s sim.Simulator, names []string, lanes int) payload {
	out := make(payload, len(names))
	for i, n := range names {
		out[i] = newPort(s, n, lanes)
	}
	return out
}

// put writes an item into the ports' buffers.
func (ps payload) put(lane int, it Item) {
	for _, p := range ps {
		n := ir.Words(p.width)
		bv.Insert(p.buf, lane*p.width, it[:n], p.width)
		it = it[n:]
	}
}

// item reads an item from the ports' buffers.
func (ps payload) item(lane int) Item {
	var it Item
	for _, p := range ps {
		x := make([]uint64, ir.Words(p.width))
		bv.Slice(x, p.buf, lane*p.width, p.width)
		it = append(it, x...)
	}
	return it
}
