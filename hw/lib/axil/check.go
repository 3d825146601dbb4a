package axil

import "github.com/hotline-rtl/hotline/hw"

// outstandingBits is the width of a count of unanswered requests.
const outstandingBits = 4

// Check asserts that a slave follows the rules of the bus: an answer stays until it is taken, and
// each answer follows a complete request. It assumes that the master follows them: requests stay
// until they are taken.
func Check(m *hw.Module, name string, bus Bus) {
	m.Scope(name, func() {
		stays(m, "aw", m.Assume, bus.AW.Valid, bus.AW.Ready, hw.Pack(bus.AW.Data))
		stays(m, "w", m.Assume, bus.W.Valid, bus.W.Ready, hw.Pack(bus.W.Data))
		stays(m, "ar", m.Assume, bus.AR.Valid, bus.AR.Ready, hw.Pack(bus.AR.Data))
		stays(m, "b", m.Assert, bus.B.Valid, bus.B.Ready, hw.Pack(bus.B.Data))
		stays(m, "r", m.Assert, bus.R.Valid, bus.R.Ready, hw.Pack(bus.R.Data))
		owed(m, "aw", bus.AW.Fire(), bus.B.Valid, bus.B.Fire())
		owed(m, "w", bus.W.Fire(), bus.B.Valid, bus.B.Fire())
		owed(m, "ar", bus.AR.Fire(), bus.R.Valid, bus.R.Fire())
	})
}

// stays claims that an offered payload stays until it is taken.
func stays(m *hw.Module, name string, claim func(hw.Bits, string), valid, ready, data hw.Bits) {
	waits, word := m.Reg(name+"_waits", 1, 0), m.Data(name+"_word", data.Width())
	waits.Set(valid.And(ready.Not()))
	word.Set(data)
	m.When(waits, func() {
		claim(valid, name+": valid stays until the transfer")
		claim(data.Eq(word), name+": payload stays until the transfer")
	})
}

// owed asserts that each answer has a request.
func owed(m *hw.Module, name string, asks, answered, answers hw.Bits) {
	count := m.Reg(name+"_owed", outstandingBits, 0)
	count.Set(count.Add(asks.Ext(outstandingBits)).Sub(answers.Ext(outstandingBits)))
	m.Assert(answered.Not().Or(count.Any()), name+": an answer has a request")
	m.Assert(count.All().Not(), name+": requests do not pile up")
}
