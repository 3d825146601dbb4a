package cdc

import "github.com/hotline-rtl/hotline/hw"

// TwoFlop is x, a bit that a register drives, as clock to sees it: two of its cycles
// later.
func TwoFlop(m *hw.Module, name string, to hw.Clock, x hw.Bits) hw.Bits {
	if x.Width() != 1 {
		m.Errorf("TwoFlop %q of %d bits: they may arrive in different cycles; use Gray, Handshake or FIFO", name, x.Width())
	}
	return hw.Scope(m, name, func() hw.Bits { return synchronise(m, to, x) })
}

// synchronise is x two cycles of clock to later.
func synchronise(m *hw.Module, to hw.Clock, x hw.Bits) (seen hw.Bits) {
	m.Clocked(to, func() { seen = m.Crossing("seen", m.Crossing("meta", x)) })
	return seen
}

// Pulse is 1 for a cycle of clock to for each cycle of clock from in which x is. Such
// cycles of from must be so far apart that to has three edges between them.
func Pulse(m *hw.Module, name string, from, to hw.Clock, x hw.Bits) hw.Bits {
	return hw.Scope(m, name, func() (pulse hw.Bits) {
		var events hw.Bits
		m.Clocked(from, func() {
			events = m.Reg("events", 1, 0) // changes at each
			events.Set(events.Xor(x))
		})
		seen := synchronise(m, to, events)
		m.Clocked(to, func() {
			last := m.Reg("last", 1, 0)
			last.Set(seen)
			pulse = seen.Xor(last).As("pulse")
		})
		return pulse
	})
}
