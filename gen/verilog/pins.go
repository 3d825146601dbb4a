package verilog

import "github.com/hotline-rtl/hotline/hw/ir"

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
	from := uncast(a.RHS)
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

// uncast strips the operators that only change the type.
func uncast(e *ir.Expr) *ir.Expr {
	for e.Op == ir.Pack || e.Op == ir.Unpack {
		e = e.Args[0]
	}
	return e
}

// countRefs counts where each signal is read.
func (u *unit) countRefs() map[*ir.Signal]int {
	refs := map[*ir.Signal]int{}
	for e, n := range u.countUses() {
		if e.Op == ir.Ref {
			refs[e.Sig] += n
		}
	}
	return refs
}

// countUses counts where each expression is read: as an operand of different
// expressions and by statements.
func (u *unit) countUses() map[*ir.Expr]int {
	uses := map[*ir.Expr]int{}
	visited := map[*ir.Expr]bool{}
	root := func(e *ir.Expr) {
		uses[e]++
		ir.WalkExpr(e, visited, func(x *ir.Expr) {
			for _, a := range x.Args {
				uses[a]++
			}
		})
	}
	u.body.walk(func(s *scope) {
		for _, it := range s.items {
			ir.WalkStmts(it.stmts, func(st ir.Stmt) {
				for _, e := range st.Exprs() {
					root(e)
				}
			})
		}
	})
	for _, e := range u.direct {
		root(e)
	}
	return uses
}

// findVariables marks the signals that always blocks assign. A signal whose
// elements some items assign continuously and others in a block stays a net;
// the blocks then assign a variable of their own.
func (u *unit) findVariables() {
	nets := map[*ir.Signal]bool{}
	u.body.walk(func(s *scope) {
		for _, it := range s.items {
			for _, l := range it.lhs {
				if it.kind == muxPlan || it.kind == assignPlan && !isBlock(it.stmts[0].(*ir.Assign)) {
					nets[l.Sig] = true
				} else {
					u.variable[l.Sig] = true
				}
			}
		}
	})
	for s := range nets {
		delete(u.variable, s)
	}
	u.body.walk(func(s *scope) {
		for i, it := range s.items {
			if it.kind == combPlan && !u.variable[it.lhs[0].Sig] && len(it.lhs) == 1 && countAssigns(it.stmts) <= shortChoice {
				s.items[i].kind = muxPlan
			}
		}
	})
}

// shortChoice is how many assignments are short as a conditional expression.
const shortChoice = 4

func countAssigns(list []ir.Stmt) int {
	n := 0
	ir.WalkStmts(list, func(st ir.Stmt) {
		if _, ok := st.(*ir.Assign); ok {
			n++
		}
	})
	return n
}

// isBlock tells whether an assignment takes an always block to write.
func isBlock(a *ir.Assign) bool { return !a.LHS.Part && needsBlock(uncast(a.RHS)) }
