package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// countRefs counts the reads of each signal.
func (mod *Module) countRefs() map[*ir.Signal]int {
	refs := map[*ir.Signal]int{}
	for e, n := range mod.CountUses() {
		if e.Op == ir.Ref {
			refs[e.Sig] += n
		}
	}
	return refs
}

// CountUses counts the reads of each expression: by different expressions and by statements.
func (mod *Module) CountUses() map[*ir.Expr]int {
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
	mod.Body.Walk(func(s *Scope) {
		for _, it := range s.Items {
			ir.WalkStmts(it.Stmts, func(st ir.Stmt) {
				for _, e := range st.Exprs() {
					root(e)
				}
			})
		}
	})
	for _, e := range mod.InputPins {
		root(e)
	}
	return uses
}
