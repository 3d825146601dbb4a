package verilog

import "github.com/hotline-rtl/hotline/hw/ir"

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
