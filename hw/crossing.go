package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Crossing says how a value is taken from one clock to another.
type Crossing = ir.Crossing

const (
	// CrossLevel synchronises a bit.
	CrossLevel = ir.CrossLevel
	// CrossGray synchronises the bits of a register of which at most one changes at a
	// time.
	CrossGray = ir.CrossGray
	// CrossFlow synchronises either for a protocol that waits for the value, so that its
	// delay relative to other crossings does not matter.
	CrossFlow = ir.CrossFlow
	// CrossHeld takes a value that does not change while the result is used.
	CrossHeld = ir.CrossHeld
)

// Crossing declares registers of clock to that take x, which may follow another clock,
// at every edge, and returns the value of the last one. None has a reset. CrossHeld needs
// one register, called name. The other kinds need two, name_meta and name_seen, and
// elaboration requires that x is a register of one clock, without logic behind it.
// Package hw/lib/cdc is made of crossings; other modules use that package.
func (m *Module) Crossing(name string, to Clock, kind Crossing, x Bits) (seen Bits) {
	pos := ir.Caller(0)
	u := m.statement(pos, x.value)
	d := m.domainOf(to, pos)
	if u.broken || x.e == nil || d == nil {
		return Bits{u.nothing(ir.Type{Width: 1})}
	}
	outer := m.domain
	m.domain = d
	if seen = x; kind.Synchronises() {
		if kind == CrossLevel && x.Width() > 1 {
			m.errorf(pos, "width", "crossing %q as a level has %d bits, want 1", name, x.Width())
		}
		seen = m.take(name+"_meta", kind, seen, pos)
		name, kind = name+"_seen", ir.CrossSettled
	}
	seen = m.take(name, kind, seen, pos)
	m.domain = outer
	return seen
}

// take declares a register that takes x in a crossing.
func (m *Module) take(name string, kind Crossing, x Bits, pos ir.Pos) Bits {
	s := m.declare(ir.Reg, name, ir.Type{Width: x.Width()}, pos)
	s.Crosses = kind
	r := Bits{m.ref(s, pos)}
	r.set(x.value, pos)
	return r
}
