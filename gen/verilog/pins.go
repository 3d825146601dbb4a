package verilog

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// connect finds the instance pins that only forward: inputs that take a plain
// signal, an element or a constant, and outputs that only drive a wire. They
// are connected without a wire of their own, and the assignment goes.
func (u *unit) connect() {
	refs := u.countRefs()
	u.body.walk(func(s *scope) {
		kept := s.items[:0]
		for _, it := range s.items {
			if it.kind != assignPlan || !u.forwards(s, it, refs) {
				kept = append(kept, it)
			}
		}
		s.items = kept
	})
}

// forwards records the connection that makes the assignment it unnecessary.
func (u *unit) forwards(s *scope, it planned, refs map[*ir.Signal]int) bool {
	a := it.stmts[0].(*ir.Assign)
	if to := a.LHS.Sig; !a.LHS.Part && to.Pin != nil && to.Scope == s.ir && refs[to] == 0 && isSimple(a.RHS) {
		u.direct[to] = a.RHS
		return true
	}
	from := simplify.Uncast(a.RHS)
	if from.Op != ir.Ref || from.Sig.Pin == nil || from.Sig.Scope != s.ir || refs[from.Sig] != 1 {
		return false
	}
	if from.Sig.Pin.Port.Kind != ir.Output || a.LHS.Sig.Pin != nil || u.variable[a.LHS.Sig] {
		return false
	}
	u.forward[from.Sig] = a.LHS
	return true
}

// isSimple tells whether e is a signal, a fixed part of one, or a constant.
func isSimple(e *ir.Expr) bool {
	switch e.Op {
	case ir.Ref, ir.Const, ir.LoopConst:
		return true
	case ir.Pack, ir.Unpack, ir.Slice, ir.ElemAt:
		return isSimple(e.Args[0]) && e.Args[0].Op != ir.Const
	}
	return false
}
