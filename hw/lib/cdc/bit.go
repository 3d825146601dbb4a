package cdc

import "github.com/hotline-rtl/hotline/hw"

// TwoFlop synchronises x to clock to, with a latency of two cycles. Elaboration requires that a
// register of one clock drives x directly, because logic may glitch at the moment of capture. An
// input of the top module counts as such a register.
func TwoFlop(m *hw.Module, name string, to hw.Clock, x hw.Bits) hw.Bits {
	if x.Width() != 1 {
		m.Errorf("TwoFlop %q of %d bits: they may arrive in different cycles; use Gray, Handshake or FIFO", name, x.Width())
		return x
	}
	return m.Crossing(name, to, hw.CrossLevel, x)
}

// Pulse returns a pulse of one cycle of clock to for each cycle of clock from in which x is 1.
// Such cycles must be far enough apart that to has three edges between them.
func Pulse(m *hw.Module, name string, from, to hw.Clock, x hw.Bits) hw.Bits {
	return hw.Scope(m, name, func() (pulse hw.Bits) {
		var events hw.Bits
		m.Clocked(from, func() {
			events = m.Reg("events", 1, 0) // changes at each event
			events.Set(events.Xor(x))
		})
		seen := m.Crossing("events", to, hw.CrossLevel, events)
		m.Clocked(to, func() {
			last := m.Reg("last", 1, 0)
			last.Set(seen)
			pulse = seen.Xor(last).As("pulse")
		})
		return pulse
	})
}
