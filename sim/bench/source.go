package bench

import (
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim/bv"
)

// Source sends on the streams of a valid port. Each bit of the port is a lane with its own stream.
// An idle lane carries random payload.
type Source struct {
	// Rate is the probability per cycle that a lane starts to offer its next item; with 1 there are
	// no gaps.
	Rate         float64
	rand         *rand.Rand
	valid, ready *port
	payload      payload
	queue        [][]Item
	offering     []bool
	sent         int
}

// Source returns a new source for the named ports.
func (b *Bench) Source(valid, ready string, fields ...string) *Source {
	n := lanesOf(b.Sim, valid)
	s := &Source{Rate: 1, rand: b.Rand, valid: newPort(b.Sim, valid, n), ready: newPort(b.Sim, ready, n),
		payload: newPayload(b.Sim, fields, n), queue: make([][]Item, n), offering: make([]bool, n)}
	b.sources = append(b.sources, s)
	return s
}

// Push returns a new source for the hw.Stream[hw.Bits] called name.
func (b *Bench) Push(name string) *Source {
	return b.Source(name+"_valid", name+"_ready", name+"_data")
}

// Send queues an item for a lane.
func (s *Source) Send(lane int, it Item) { s.queue[lane] = append(s.queue[lane], it) }

// Sent returns the number of transferred items in all lanes.
func (s *Source) Sent() int { return s.sent }

// Random returns a random item.
func (s *Source) Random() Item {
	var it Item
	for _, p := range s.payload {
		x := make([]uint64, ir.Words(p.width))
		for i := range x {
			x[i] = s.rand.Uint64()
		}
		bv.Mask(x, p.width)
		it = append(it, x...)
	}
	return it
}

// offer drives valid and payload for this cycle.
func (s *Source) offer() {
	for _, p := range s.payload {
		clear(p.buf)
	}
	for i, q := range s.queue {
		if !s.offering[i] && len(q) > 0 {
			s.offering[i] = s.rand.Float64() < s.Rate
		}
		s.valid.setBit(i, s.offering[i])
		if s.offering[i] {
			s.payload.put(i, q[0])
		} else {
			s.payload.put(i, s.Random())
		}
	}
	s.valid.set()
	for _, p := range s.payload {
		p.set()
	}
}

// settle removes the items that transfer at the next clock edge.
func (s *Source) settle() {
	s.ready.get()
	for i := range s.queue {
		if s.offering[i] && s.ready.bit(i) {
			s.queue[i] = s.queue[i][1:]
			s.offering[i] = false
			s.sent++
		}
	}
}
