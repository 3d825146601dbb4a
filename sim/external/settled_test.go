package external

import (
	"testing"

	"github.com/hotline-rtl/hotline/hw"
)

// early reads wires before they are assigned.
type early struct{}

func (early) Build(m *hw.Module) (io struct{ C, A, B, Q, R hw.Bits }) {
	io.C, io.A, io.B, io.Q, io.R = m.In("c", 1), m.In("a", 8), m.In("b", 8), m.Out("q", 8), m.Out("r", 8)
	w := m.Wire("w", 8)
	io.R.Set(io.Q)
	m.When(io.C, func() {
		io.Q.Set(w.Inc())
		w.Set(io.A)
	}).Else(func() {
		w.Set(io.B)
		io.Q.Set(w.Dec())
	})
	m.When(io.A.Eq(io.B), func() { io.Q.Set(w) })
	m.When(io.A.Bit(0), func() { w.Set(hw.K(9)) })
	return io
}

// TestSettledValues: a read returns the final value of a wire, regardless of its position.
func TestSettledValues(t *testing.T) { agrees(t, design(t, early{}), "icarus", Icarus, 300) }
