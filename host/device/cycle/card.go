package cycle

import (
	"fmt"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie/link"
	"github.com/hotline-rtl/hotline/sim"
)

// resetCycles is the number of cycles of rst at power-up.
const resetCycles = 4

// Card is the cycle model of an accelerator in a PCIe slot.
type Card struct {
	k     *des.Kernel
	sim   sim.Simulator
	wires *sim.Wires
	clock *des.Clock
	ep    *link.Endpoint
	reset int    // remaining cycles of reset
	given bool   // the design already has the inputs of the next cycle
	steps uint64 // number of simulator steps
	err   error

	bus    bus
	dma    dma
	irq    interrupts
	pin    resetPin
	straps straps
}

// New returns a card around the accelerator s with clock period period; cfg describes its PCIe
// function. The caller attaches the Endpoint to a root complex or switch.
func New(k *des.Kernel, s sim.Simulator, period des.Time, cfg link.EndpointConfig) (*Card, error) {
	return Boundary{}.New(k, s, period, cfg)
}

// New returns a card around a design with this boundary, as the function New does for the
// accelerator. It panics if the design lacks a port.
func (b Boundary) New(k *des.Kernel, s sim.Simulator, period des.Time, cfg link.EndpointConfig) (*Card, error) {
	c := &Card{k: k, sim: s, wires: sim.NewWires(s), reset: resetCycles}
	ep, err := link.NewEndpoint(k, cfg, c)
	if err != nil {
		return nil, err
	}
	c.ep = ep
	c.bus = newBus(c.wires)
	c.dma, c.irq = b.dma(c.wires), b.interrupts(c.wires)
	c.straps, c.pin = newStraps(c.wires), b.reset(c.wires)
	c.clock = k.NewClock(period, c.tick)
	k.Watch("accelerator", c.state)
	c.clock.Wake()
	return c, nil
}

// Endpoint returns the card's PCIe function.
func (c *Card) Endpoint() *link.Endpoint { return c.ep }

// Cycles returns the number of clock cycles so far, including skipped cycles.
func (c *Card) Cycles() uint64 { return uint64(c.k.Now() / c.clock.Period()) }

// Simulated returns the number of simulated cycles, excluding skipped cycles.
func (c *Card) Simulated() uint64 { return c.steps }

// Err returns the error that stopped the card, or nil. The error is a failed assertion of the
// design, or the design's violation of the boundary's rules.
func (c *Card) Err() error { return c.err }

// fail stops the card.
func (c *Card) fail(format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("accelerator in cycle %d: "+format, append([]any{c.Cycles()}, args...)...)
	}
}

// tick processes a clock edge, elapsed cycles after the previous edge. It presents the inputs of
// this cycle, samples the resulting outputs, and steps the simulator.
func (c *Card) tick(elapsed uint64) {
	if c.err != nil {
		c.clock.Sleep()
		return
	}
	if elapsed > 1 {
		if s, ok := c.sim.(sim.Skipper); ok {
			s.Skip(elapsed - 1)
		}
	}
	c.wires.SetReset(c.reset > 0)
	c.pin.set(c.reset > 0)
	if c.reset > 0 {
		c.reset--
		c.present()
		c.given = false
		c.step()
		return
	}
	if !c.given {
		c.present()
	}
	c.given = false
	if c.straps.reset() {
		c.step() // outputs are ignored during a reset
		return
	}
	c.wires.Settle()
	c.bus.sample()
	c.dma.sample(c)
	c.irq.sample(c)
	c.step()
	c.rest()
}

// present drives the inputs of a cycle.
func (c *Card) present() {
	c.straps.present()
	c.bus.present()
	c.dma.present()
	c.irq.present()
	c.wires.Drive()
}

// wake continues the clock. Callers call it after every external change.
func (c *Card) wake() {
	c.given = false
	c.clock.Wake()
}

func (c *Card) step() {
	c.steps++
	if err := c.sim.Step(); err != nil && c.err == nil {
		c.err = fmt.Errorf("cycle: %w", err)
	}
}

// rest lets the clock sleep if the next cycle would change nothing. It also checks the interrupt
// request, because an unacknowledged request is not activity within the design.
func (c *Card) rest() {
	if c.bus.busy() || c.dma.busy() || c.irq.busy() || c.straps.busy() {
		return
	}
	c.present()
	c.given = true
	if !c.sim.Quiet() {
		return
	}
	if c.wires.Settle(); !c.irq.wants() {
		c.clock.Sleep()
	}
}

func (c *Card) state() string {
	if c.err != nil {
		return c.err.Error()
	}
	return c.dma.state()
}
