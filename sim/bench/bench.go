package bench

import (
	"fmt"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
	"github.com/hotline-rtl/hotline/sim/bv"
	"github.com/hotline-rtl/hotline/sim/interp"
)

// Bench runs a design with traffic on its streams. The test drives the other ports through Pin.
type Bench struct {
	Sim     sim.Simulator
	Rand    *rand.Rand
	sources []*Source
	sinks   []*Sink
}

// New starts d in the interpreter with random state and resets it. The error lists all problems of
// the design.
func New(d *ir.Design, seed uint64) (*Bench, error) {
	s, err := interp.New(d, interp.DontCare(seed))
	if err != nil {
		return nil, err
	}
	b := &Bench{Sim: s, Rand: rand.New(rand.NewPCG(seed, 0))}
	return b, Reset(s, seed)
}

// Reset fills a design with random state and resets it for one cycle with random inputs: the design
// must depend on neither. All inputs are zero afterwards.
func Reset(s sim.Simulator, seed uint64) error {
	sim.PowerUp(s.(sim.Writable), seed)
	return ResetCycle(s, seed)
}

// ResetCycle works like Reset but keeps the state.
func ResetCycle(s sim.Simulator, seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 1))
	drive := func(value func() uint64) {
		for i, p := range s.Ports() {
			if p.Input {
				x := make([]uint64, ir.Words(p.Type.Bits()))
				for k := range x {
					x[k] = value()
				}
				bv.Mask(x, p.Type.Bits())
				s.Set(i, x)
			}
		}
	}
	drive(r.Uint64)
	s.SetReset(true)
	err := s.Step()
	s.SetReset(false)
	drive(func() uint64 { return 0 })
	return err
}

// Pin returns the named port. It panics if there is none.
func (b *Bench) Pin(name string) sim.Pin { return sim.Find(b.Sim, name) }

// Cycle runs one clock cycle with traffic. It calls each look function before the clock edge, when
// all ports have their final values. The error is a violated handshake rule, a failed assertion, or
// an error of a look function.
func (b *Bench) Cycle(look ...func() error) error {
	for _, s := range b.sources {
		s.offer()
	}
	for _, s := range b.sinks {
		s.stall()
	}
	for _, s := range b.sinks {
		s.answer()
	}
	for _, s := range b.sinks {
		if err := s.receive(); err != nil {
			return b.at(err)
		}
	}
	for _, s := range b.sources {
		s.settle()
	}
	for _, f := range look {
		if err := f(); err != nil {
			return b.at(err)
		}
	}
	return b.Sim.Step()
}

func (b *Bench) at(err error) error { return fmt.Errorf("cycle %d: %w", b.Sim.Cycle(), err) }

// Run runs n cycles and stops at the first error.
func (b *Bench) Run(n int, look ...func() error) error {
	for range n {
		if err := b.Cycle(look...); err != nil {
			return err
		}
	}
	return nil
}

// Drain runs until the sources have sent all their items and the sinks have received total items.
// It returns an error of Cycle, or an error if limit cycles are not enough.
func (b *Bench) Drain(total, limit int, look ...func() error) error {
	for range limit {
		if b.received() >= total && b.waiting() == 0 {
			return nil
		}
		if err := b.Cycle(look...); err != nil {
			return err
		}
	}
	return fmt.Errorf("after %d cycles %d of %d items have arrived and %d have not been taken", limit, b.received(), total, b.waiting())
}

func (b *Bench) received() int {
	n := 0
	for _, s := range b.sinks {
		for _, lane := range s.Got {
			n += len(lane)
		}
	}
	return n
}

func (b *Bench) waiting() int {
	n := 0
	for _, s := range b.sources {
		for _, q := range s.queue {
			n += len(q)
		}
	}
	return n
}

// Bit converts a bool to the value of a one-bit pin.
func Bit(on bool) uint64 {
	if on {
		return 1
	}
	return 0
}
