package plan

import "github.com/hotline-rtl/hotline/hw/ir"

type signalSet map[*ir.Signal]bool

func intersect(a, b signalSet) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for s := range a {
		if b[s] {
			return true
		}
	}
	return false
}

// Paths gives, for each output of a module, the inputs that it depends on
// within the cycle.
type Paths map[*ir.Signal]signalSet

// reaches are the signals that s depends on within the cycle, through any
// number of steps. Vectors count as a whole, so that s may reach itself.
func (u *Module) reaches(s *ir.Signal) signalSet {
	if out, ok := u.reach[s]; ok {
		return out
	}
	out := signalSet{}
	u.reach[s] = out
	var visit func(x *ir.Signal)
	visit = func(x *ir.Signal) {
		for _, y := range u.sources(x) {
			if !out[y] {
				out[y] = true
				visit(y)
			}
		}
	}
	visit(s)
	return out
}

// sources are the signals whose value s takes part in within the cycle.
func (u *Module) sources(s *ir.Signal) []*ir.Signal {
	if s.Kind == ir.Reg {
		return nil
	}
	var out []*ir.Signal
	if s.Pin != nil && s.Pin.Port.Kind == ir.Output {
		through := u.through[s.Pin.Inst.Of][s.Pin.Port]
		for i, p := range s.Pin.Inst.Of.Ports {
			if through[p] {
				out = append(out, s.Pin.Inst.Pins[i])
			}
		}
		return out
	}
	for _, x := range u.needs[s] {
		if sig, ok := x.(*ir.Signal); ok {
			out = append(out, sig)
		}
	}
	return out
}

// CombPaths summarises the module for those that instantiate it.
func (u *Module) CombPaths() Paths {
	out := Paths{}
	for _, p := range u.IR.Ports {
		if p.Kind != ir.Output {
			continue
		}
		out[p] = signalSet{}
		for s := range u.reaches(p) {
			if s.Kind == ir.Input {
				out[p][s] = true
			}
		}
	}
	return out
}

// Elementwise tells whether l is all of a vector that depends on itself. As
// there are no real loops, its elements depend on other elements.
func (u *Module) Elementwise(l ir.LValue) bool {
	return !l.Part && u.SelfDependent(l.Sig)
}

// SelfDependent tells whether elements of g depend on elements of g.
func (u *Module) SelfDependent(g *ir.Signal) bool { return g.Type.IsVec() && u.reaches(g)[g] }
