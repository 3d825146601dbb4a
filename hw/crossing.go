package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Crossing identifies how a value crosses from one clock domain to another.
type Crossing = ir.Crossing

const (
	// CrossLevel synchronises a single bit.
	CrossLevel = ir.CrossLevel
	// CrossGray synchronises the bits of a register that changes at most one bit at a time.
	CrossGray = ir.CrossGray
	// CrossFlow synchronises either form for a protocol that waits for the value, so that the
	// delay relative to other crossings does not matter.
	CrossFlow = ir.CrossFlow
	// CrossHeld captures a value that does not change while the result is in use.
	CrossHeld = ir.CrossHeld
)

// Crossing declares registers of clock to that capture x, which may follow another clock, at every
// edge. It returns the value of the last register. The registers have no reset. CrossHeld needs
// one register, called name. The other kinds need two, name_meta and name_seen; elaboration
// requires that x is a register of a single clock, without logic after it. Package hw/lib/cdc is
// built from crossings; other modules should use that package.
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
			m.errorf(pos, "width", "crossing %q as a level has %d bits, expected 1", name, x.Width())
		}
		seen = m.take(name+"_meta", kind, seen, pos)
		name, kind = name+"_seen", ir.CrossSettled
	}
	seen = m.take(name, kind, seen, pos)
	m.domain = outer
	return seen
}

// take declares a register that captures x in a crossing.
func (m *Module) take(name string, kind Crossing, x Bits, pos ir.Pos) Bits {
	s := m.declare(ir.Reg, name, ir.Type{Width: x.Width()}, pos)
	s.Crosses = kind
	r := Bits{m.ref(s, pos)}
	r.set(x.value, pos)
	return r
}
