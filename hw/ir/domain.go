package ir

// Domain is a clock of a module and the reset that belongs to it. Both are input
// ports of one bit, and so are the pins of an instance for them.
type Domain struct {
	Clock *Signal
	Reset *Signal // nil: registers of it have no reset
	Low   bool    // Reset resets while it is 0
	Async bool    // Reset acts at once, not at the clock edge
}

// Name is the name of the clock.
func (d *Domain) Name() string { return d.Clock.Name }

// Own is how a module writes its own clock and reset, those that it takes from
// where it is instantiated. The zero Own is clk and rst, synchronous and active high.
type Own struct {
	Clock, Reset string // names, or "" for clk and rst
	Low, Async   bool   // as in a Domain
}

// ClockName is the name of the clock port.
func (o Own) ClockName() string {
	if o.Clock == "" {
		return "clk"
	}
	return o.Clock
}

// ResetName is the name of the reset port.
func (o Own) ResetName() string {
	if o.Reset == "" {
		return "rst"
	}
	return o.Reset
}

// IsClock tells whether a port of m is the clock of a domain.
func (m *Module) IsClock(port *Signal) bool {
	for _, d := range m.Domains {
		if d.Clock == port {
			return true
		}
	}
	return false
}
