package ir

import "slices"

// StandIn fills the body of m, which contains only ports, with the known dependencies of an
// external module. An output depends combinationally on the inputs that through lists for it.
// Without such inputs it depends on state of its clock, or is constant if it has no clock. own
// reports whether m has a clock of its own, and reset whether its own reset is used.
func StandIn(m *Module, through map[*Signal][]*Signal, own, reset bool) {
	state := map[*Domain]*Signal{}
	add := func(d *Domain, name string) *Signal {
		s := &Signal{Name: m.fresh(name), Kind: Reg, Type: Type{Width: 1}, Scope: m.Body, Domain: d, Pos: m.Pos}
		if d == nil && reset || d != nil && d.Reset != nil {
			s.HasReset, s.Init = true, []uint64{0}
		}
		m.Body.Signals = append(m.Body.Signals, s)
		state[d] = s
		m.assign(s, m.reference(s))
		return s
	}
	if own {
		add(nil, "state")
	}
	for _, p := range m.Ports {
		if p.Kind != Output {
			continue
		}
		bit := &Expr{Op: Const, Type: Type{Width: 1}, Val: []uint64{0}, Pos: m.Pos}
		switch s := state[p.Domain]; {
		case len(through[p]) > 0:
			bit = m.parity(through[p])
		case s == nil && p.Domain != nil:
			bit = m.reference(add(p.Domain, "state_"+p.Domain.Name()))
		case s != nil:
			bit = m.reference(s)
		}
		m.assign(p, widen(bit, p.Type))
	}
}

func (m *Module) fresh(name string) string {
	for m.Port(name) != nil {
		name += "_"
	}
	return name
}

func (m *Module) assign(s *Signal, value *Expr) {
	m.Body.Stmts = append(m.Body.Stmts, &Assign{LHS: LValue{Sig: s}, RHS: value, Pos: m.Pos})
}

func (m *Module) reference(s *Signal) *Expr {
	return &Expr{Op: Ref, Type: s.Type, Sig: s, Pos: m.Pos}
}

// parity returns a bit that depends on all inputs.
func (m *Module) parity(inputs []*Signal) (out *Expr) {
	for _, s := range inputs {
		e := m.reference(s)
		if s.Type.IsVec() {
			e = &Expr{Op: Pack, Type: Type{Width: s.Type.Bits()}, Args: []*Expr{e}, Pos: m.Pos}
		}
		e = &Expr{Op: RedXor, Type: Type{Width: 1}, Args: []*Expr{e}, Pos: m.Pos}
		if out != nil {
			e = &Expr{Op: Xor, Type: Type{Width: 1}, Args: []*Expr{out, e}, Pos: m.Pos}
		}
		out = e
	}
	return out
}

// widen returns a value of type t with every bit equal to bit.
func widen(bit *Expr, t Type) *Expr {
	e := bit
	if t.Width > 1 {
		e = &Expr{Op: SExt, Type: t.Elem(), Args: []*Expr{bit}, Pos: bit.Pos}
	}
	if !t.IsVec() {
		return e
	}
	return &Expr{Op: VecOf, Type: t, Args: slices.Repeat([]*Expr{e}, t.Len), Pos: bit.Pos}
}
