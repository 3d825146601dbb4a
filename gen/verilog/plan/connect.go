package plan

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// connect finds the instance pins that only forward: inputs that take a plain signal, an
// element or a constant, and outputs that only drive a wire. They are connected without a wire
// of their own, and the assignment goes.
func (mod *Module) connect() {
	refs := mod.countRefs()
	mod.Body.Walk(func(s *Scope) {
		kept := s.Items[:0]
		for _, it := range s.Items {
			if it.Kind != Assign || !mod.forwards(s, it, refs) {
				kept = append(kept, it)
			}
		}
		s.Items = kept
	})
}

// forwards reports whether a connection can replace the assignment it, and records that
// connection.
func (mod *Module) forwards(s *Scope, it Item, refs map[*ir.Signal]int) bool {
	a := it.Stmts[0].(*ir.Assign)
	if to := a.LHS.Sig; !a.LHS.Part && to.Pin != nil && to.Scope == s.IR && refs[to] == 0 && isSimple(a.RHS) {
		mod.InputPins[to] = a.RHS
		return true
	}
	from := simplify.Uncast(a.RHS)
	if from.Op != ir.Ref || from.Sig.Pin == nil || from.Sig.Scope != s.IR || refs[from.Sig] != 1 {
		return false
	}
	if from.Sig.Pin.Port.Kind != ir.Output || a.LHS.Sig.Pin != nil || mod.Variables[a.LHS.Sig] {
		return false
	}
	mod.OutputPins[from.Sig] = a.LHS
	return true
}

// isSimple reports whether e is a signal, a fixed part of one, or a constant.
func isSimple(e *ir.Expr) bool {
	switch e.Op {
	case ir.Ref, ir.Const, ir.LoopConst:
		return true
	case ir.Pack, ir.Unpack, ir.Slice, ir.ElemAt:
		return isSimple(e.Args[0]) && e.Args[0].Op != ir.Const
	}
	return false
}
