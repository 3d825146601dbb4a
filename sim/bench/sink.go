package bench

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// Sink receives on the streams of a valid port. Each bit of the port is a lane with its own stream.
// Sink checks that valid and payload do not depend on ready and remain stable until the transfer.
type Sink struct {
	// Rate is the probability that a lane is ready in a cycle.
	Rate float64
	// Got contains the items received, by lane.
	Got [][]Item

	rand         *rand.Rand
	name         string
	valid, ready *port
	payload      payload
	offered      []Item // item shown while ready was 0; nil if not valid
	held         []Item // item that a stalled lane must show again
}

// Sink returns a new sink for the named ports.
func (b *Bench) Sink(valid, ready string, fields ...string) *Sink {
	n := lanesOf(b.Sim, valid)
	s := &Sink{Rate: 1, Got: make([][]Item, n), rand: b.Rand, name: valid, valid: newPort(b.Sim, valid, n), ready: newPort(b.Sim, ready, n),
		payload: newPayload(b.Sim, fields, n), offered: make([]Item, n), held: make([]Item, n)}
	b.sinks = append(b.sinks, s)
	return s
}

// Pop returns a new sink for the hw.Stream[hw.Bits] called name.
func (b *Bench) Pop(name string) *Sink {
	return b.Sink(name+"_valid", name+"_ready", name+"_data")
}

// stall drives ready to 0 in all lanes.
func (s *Sink) stall() {
	clear(s.ready.buf)
	s.ready.set()
}

// answer records the offered items and then drives the sampled ready bits.
func (s *Sink) answer() {
	copy(s.offered, s.read())
	for i := range s.offered {
		s.ready.setBit(i, s.rand.Float64() < s.Rate)
	}
	s.ready.set()
}

// read returns the item that each lane offers, nil if the lane is not valid.
func (s *Sink) read() []Item {
	out := make([]Item, len(s.Got))
	s.valid.get()
	for _, p := range s.payload {
		p.get()
	}
	for i := range out {
		if s.valid.bit(i) {
			out[i] = s.payload.item(i)
		}
	}
	return out
}

// receive checks the handshake rules and stores the transferred items.
func (s *Sink) receive() error {
	for i, now := range s.read() {
		switch {
		case !same(now, s.offered[i]):
			return fmt.Errorf("%s lane %d: %x became %x when ready changed", s.name, i, s.offered[i], now)
		case s.held[i] != nil && !same(now, s.held[i]):
			return fmt.Errorf("%s lane %d: %x was not taken but became %x", s.name, i, s.held[i], now)
		}
		s.held[i] = now
		if now != nil && s.ready.bit(i) {
			s.Got[i] = append(s.Got[i], now)
			s.held[i] = nil
		}
	}
	return nil
}

func same(a, b Item) bool { return (a == nil) == (b == nil) && slices.Equal(a, b) }
