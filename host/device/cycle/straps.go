package cycle

import "github.com/hotline-rtl/hotline/sim"

// straps drives the function's state from the shell to the design.
type straps struct {
	busMaster, flr, linkUp strap

	master, up bool // latest settings by the host
	flrs       int  // remaining cycles of function-level reset
	current    bool // the pins are up to date
}

// strap is a pin that a design need not have.
type strap struct {
	sim.Wire
	there bool
}

func newStraps(w *sim.Wires) straps {
	find := func(name string) strap {
		wire, there := w.Lookup(name)
		return strap{wire, there}
	}
	return straps{busMaster: find("cfg_bus_master_enable"), flr: find("cfg_flr"), linkUp: find("link_up")}
}

func (s strap) setBool(v bool) {
	if s.there {
		s.SetBool(v)
	}
}

func (s *straps) busy() bool { return !s.current }

func (s *straps) present() {
	if s.current {
		return
	}
	s.busMaster.setBool(s.master)
	s.linkUp.setBool(s.up)
	s.flr.setBool(s.flrs > 0)
	s.current = s.flrs == 0
}

// reset reports whether the design is in reset in this cycle.
func (s *straps) reset() bool {
	if s.flrs == 0 {
		return false
	}
	s.flrs--
	return true
}

// Configured implements link.Core.
func (c *Card) Configured(busMaster, up bool) {
	c.straps.master, c.straps.up, c.straps.current = busMaster, up, false
	c.wake()
}

// Reset implements link.Core. It resets the design and cancels all transactions in flight.
func (c *Card) Reset() {
	c.straps.flrs, c.straps.current = 1, false
	c.bus.write, c.bus.read = nil, nil
	c.dma.forget()
	c.irq.forget()
	if !c.straps.flr.there {
		c.reset = resetCycles
	}
	c.wake()
}
