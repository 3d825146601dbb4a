package ir

import "slices"

// domains checks the clocks of the module and the state that follows them.
func (v *verifier) domains() {
	m := v.mod
	clocks := map[*Signal]bool{}
	for _, d := range m.Domains {
		if d == nil || !v.bit(d.Clock) || d.Reset != nil && !v.bit(d.Reset) {
			v.errorf(m.Pos, "a clock or reset of a domain is not an input of one bit")
			return
		}
		if clocks[d.Clock] {
			v.errorf(d.Clock.Pos, "two domains have the clock %s", d.Name())
		}
		clocks[d.Clock] = true
	}
	m.Body.Walk(func(s *Scope) {
		for _, g := range s.Signals {
			v.follows(g.Domain, g.HasReset, g.Name, g.Pos)
			v.crosses(g)
			if g.Pin != nil && g.Pin.Inst.Of.IsClock(g.Pin.Port) {
				v.clockPin(g, s, clocks)
			}
		}
		for _, x := range s.Mems {
			v.follows(x.Domain, false, x.Name, x.Pos)
		}
		for _, in := range s.Insts {
			v.follows(in.Domain, in.Of.Reset, in.Name, in.Pos)
			if in.Domain != nil && in.Of.Reset && in.Domain.Async != in.Of.Own.Async {
				v.errorf(in.Pos, "instance %q: asynchronous reset %t, of its clock %t", in.Name, in.Of.Own.Async, in.Domain.Async)
			}
		}
		WalkStmts(s.Stmts, func(st Stmt) {
			if a, ok := st.(*Assert); ok {
				v.follows(a.Domain, false, "an assertion", a.Pos)
			}
		})
	})
	if m.Clock && len(m.Domains) > 0 {
		v.errorf(m.Pos, "it has clocks that are ports, and state that follows none of them")
	}
	v.clockReads(clocks)
}

// crosses checks a register that captures values of other clocks.
func (v *verifier) crosses(g *Signal) {
	switch {
	case g.Crosses == NoCrossing:
	case g.Crosses >= numCrossings:
		v.errorf(g.Pos, "%q crosses in no known way", g.Name)
	case g.Kind != Reg:
		v.errorf(g.Pos, "%q crosses and is not a register", g.Name)
	case g.HasReset:
		v.errorf(g.Pos, "%q crosses and has a reset", g.Name)
	case g.Crosses == CrossLevel && g.Type.Bits() > 1:
		v.errorf(g.Pos, "%q crosses as a level and has %d bits", g.Name, g.Type.Bits())
	}
}

// bit reports whether g is a one-bit input.
func (v *verifier) bit(g *Signal) bool {
	return g != nil && g.Kind == Input && g.Type == Type{Width: 1} && v.signals[g]
}

// follows checks that d, if not nil, is a domain of the module, and that it has a reset if one is
// needed.
func (v *verifier) follows(d *Domain, reset bool, name string, pos Pos) {
	switch {
	case d == nil:
	case !slices.Contains(v.mod.Domains, d):
		v.errorf(pos, "%s follows a clock that the module lacks", name)
	case reset && d.Reset == nil:
		v.errorf(pos, "%s has a reset, clock %s has none", name, d.Name())
	}
}

// clockPin checks that a clock of an instance is connected to a clock of the module.
func (v *verifier) clockPin(g *Signal, s *Scope, clocks map[*Signal]bool) {
	for _, st := range s.Stmts {
		if a, ok := st.(*Assign); ok && a.LHS.Sig == g && a.RHS.Op == Ref && clocks[a.RHS.Sig] {
			return
		}
	}
	v.errorf(g.Pos, "%q, a clock of instance %q, is not a clock of the module", g.Name, g.Pin.Inst.Name)
}

// clockReads checks that clocks are used only as clocks of instances.
func (v *verifier) clockReads(clocks map[*Signal]bool) {
	if len(clocks) == 0 {
		return
	}
	visited := map[*Expr]bool{}
	v.mod.Body.Walk(func(s *Scope) {
		WalkStmts(s.Stmts, func(st Stmt) {
			if a, ok := st.(*Assign); ok && a.RHS.Op == Ref && a.LHS.Sig.Pin != nil && a.LHS.Sig.Pin.Inst.Of.IsClock(a.LHS.Sig.Pin.Port) {
				return
			}
			for _, e := range st.Exprs() {
				WalkExpr(e, visited, func(x *Expr) {
					if x.Op == Ref && clocks[x.Sig] {
						v.errorf(st.Position(), "clock %q is read", x.Sig.Name)
					}
				})
			}
		})
	})
}
