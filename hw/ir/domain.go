package ir

// Domain is a clock of a module and its reset. Both are one-bit input ports, and the corresponding
// pins of an instance are inputs as well.
type Domain struct {
	Clock *Signal
	Reset *Signal // nil if the clock has no reset
	Low   bool    // Reset is active low
	Async bool    // Reset is asynchronous: it acts immediately, not at the clock edge
}

// Name returns the name of the clock.
func (d *Domain) Name() string { return d.Clock.Name }

// Own describes the ports of a module for its own clock and reset, which the instantiating module
// provides. The zero Own is clk and rst, synchronous and active high.
type Own struct {
	Clock, Reset string // names, or "" for clk and rst
	Low, Async   bool   // as in Domain
}

// ClockName returns the name of the clock port.
func (o Own) ClockName() string {
	if o.Clock == "" {
		return "clk"
	}
	return o.Clock
}

// ResetName returns the name of the reset port.
func (o Own) ResetName() string {
	if o.Reset == "" {
		return "rst"
	}
	return o.Reset
}

// IsClock reports whether a port of m is the clock of a domain.
func (m *Module) IsClock(port *Signal) bool {
	for _, d := range m.Domains {
		if d.Clock == port {
			return true
		}
	}
	return false
}
