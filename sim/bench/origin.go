package bench

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Origin is the source of an output that is connected through wires only.
type Origin struct {
	Inside   []*ir.Instance // instances, each inside the previous
	Register *ir.Signal     // that drives the output; nil if the path contains logic
}

// OriginOf follows an output of m backwards through wires and into instances.
func OriginOf(m *ir.Module, output *ir.Signal) (from Origin) {
	for s := output; s != nil; {
		switch {
		case s.Kind == ir.Reg:
			from.Register = s
			return from
		case s.Pin != nil && s.Pin.Port.Kind == ir.Output:
			from.Inside = append(from.Inside, s.Pin.Inst)
			m, s = s.Pin.Inst.Of, s.Pin.Port
		default:
			s = wiredTo(m, s)
		}
	}
	return from
}

// wiredTo returns the signal that permanently drives s in the body of m, or nil.
func wiredTo(m *ir.Module, s *ir.Signal) *ir.Signal {
	var all []*ir.Assign
	ir.WalkStmts(m.Body.Stmts, func(st ir.Stmt) {
		if a, ok := st.(*ir.Assign); ok && a.LHS.Sig == s {
			all = append(all, a)
		}
	})
	if len(all) != 1 || !slices.Contains(m.Body.Stmts, ir.Stmt(all[0])) || all[0].RHS.Op != ir.Ref || all[0].LHS.Type() != s.Type {
		return nil
	}
	return all[0].RHS.Sig
}
