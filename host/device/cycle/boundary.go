package cycle

import "github.com/hotline-rtl/hotline/sim"

// Boundary selects the ports through which a design and its shell communicate. The zero value is
// the boundary of the accelerator. Every boundary has an AXI4-Lite slave with the prefix s_axil.
type Boundary struct {
	// AXI4 replaces the descriptors by an AXI4 master with the prefix m_axi.
	AXI4 bool
	// Interrupt, unless empty, is an output whose rising edges are interrupts, instead of irq_req and
	// irq_ack. Bit i is MSI-X vector i.
	Interrupt string
	// Reset, unless empty, is an input that resets the design, in addition to its own reset. It is
	// active at ResetLevel.
	Reset      string
	ResetLevel bool
}

// resetPin is the input Reset of a Boundary.
type resetPin struct {
	strap
	level bool
}

func (b Boundary) reset(w *sim.Wires) resetPin {
	wire, there := w.Lookup(b.Reset)
	return resetPin{strap{wire, there}, b.ResetLevel}
}

func (r resetPin) set(on bool) { r.setBool(on == r.level) }
