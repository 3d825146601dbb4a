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

// Paths maps each output of a module to the inputs that it depends on within a cycle.
type Paths map[*ir.Signal]signalSet

// reaches returns the signals that s depends on within the cycle, through any number of steps.
// Vectors count as a whole, so that s may reach itself.
func (mod *Module) reaches(s *ir.Signal) signalSet {
	if out, ok := mod.reach[s]; ok {
		return out
	}
	out := signalSet{}
	mod.reach[s] = out
	var visit func(x *ir.Signal)
	visit = func(x *ir.Signal) {
		for _, y := range mod.sources(x) {
			if !out[y] {
				out[y] = true
				visit(y)
			}
		}
	}
	visit(s)
	return out
}

// sources returns the signals that s reads within the cycle.
func (mod *Module) sources(s *ir.Signal) []*ir.Signal {
	if s.Kind == ir.Reg {
		return nil
	}
	var out []*ir.Signal
	if s.Pin != nil && s.Pin.Port.Kind == ir.Output {
		through := mod.through[s.Pin.Inst.Of][s.Pin.Port]
		for i, p := range s.Pin.Inst.Of.Ports {
			if through[p] {
				out = append(out, s.Pin.Inst.Pins[i])
			}
		}
		return out
	}
	for _, x := range mod.needs[s] {
		if sig, ok := x.(*ir.Signal); ok {
			out = append(out, sig)
		}
	}
	return out
}

// CombPaths returns the paths of the module, for planning the modules that instantiate it.
func (mod *Module) CombPaths() Paths {
	out := Paths{}
	for _, p := range mod.IR.Ports {
		if p.Kind != ir.Output {
			continue
		}
		out[p] = signalSet{}
		for s := range mod.reaches(p) {
			if s.Kind == ir.Input {
				out[p][s] = true
			}
		}
	}
	return out
}

// Elementwise reports whether l is all of a vector that depends on itself. Such a vector needs
// an assign for each element: tools then see that there is no loop.
func (mod *Module) Elementwise(l ir.LValue) bool {
	return !l.Part && mod.SelfDependent(l.Sig)
}

// SelfDependent reports whether elements of g depend on other elements of g within the cycle.
func (mod *Module) SelfDependent(g *ir.Signal) bool { return g.Type.IsVec() && mod.reaches(g)[g] }
