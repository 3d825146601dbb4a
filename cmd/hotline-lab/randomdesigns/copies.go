package randomdesigns

import (
	"errors"
	"math/rand/v2"

	"github.com/hotline-rtl/hotline/gen/gosim"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/sim"
)

// among presents one instance of a batch as an engine. The other instances have different inputs
// and state, so that interference between instances is observable.
type among struct {
	sim.Copy
	all    sim.Copies
	number int
	others *rand.Rand
	still  bool // reset is asserted and the design has none
	design *ir.Design
}

func newAmong(all sim.Copies, d design) *among {
	n := int(d.seed % gosim.MaxCopies)
	for i := range all.Copies() {
		sim.PowerUp(all.Copy(i), d.seed+uint64(i)+1)
	}
	return &among{Copy: all.Copy(n), all: all, number: n, others: rand.New(rand.NewPCG(d.seed, 2)), design: d.Design}
}

// SetReset implements sim.Simulator. During reset, single engines check no assertions, even if the
// design has no reset.
func (a *among) SetReset(on bool) {
	a.Copy.SetReset(on)
	a.still = on && !a.design.Top.Reset
}

// disturb drives random inputs of the other instances.
func (a *among) disturb() {
	for i := range a.all.Copies() {
		if i == a.number {
			continue
		}
		c := a.all.Copy(i)
		c.SetReset(a.others.IntN(20) == 0)
		for port, p := range c.Ports() {
			if p.Input {
				c.Set(port, a.word(p.Type.Bits()))
			}
		}
	}
}

// word returns a random value of the given width.
func (a *among) word(bits int) []uint64 {
	x := make([]uint64, ir.Words(bits))
	for i := range x {
		x[i] = a.others.Uint64() & (^uint64(0) >> (64 - min(64, bits-64*i)))
	}
	return x
}

// Step implements sim.Simulator.
func (a *among) Step() error {
	a.disturb()
	var failed sim.Failures
	if errors.As(a.all.Step(), &failed) {
		for _, x := range failed {
			if x.Copy == a.number && !a.still {
				return &x.AssertionError
			}
		}
	}
	return nil
}

// Cycle implements sim.Simulator.
func (a *among) Cycle() uint64 { return a.all.Cycle() }

// Quiet implements sim.Simulator. The other instances are never idle.
func (a *among) Quiet() bool { return false }

// Close implements sim.Simulator.
func (a *among) Close() error { return nil }
