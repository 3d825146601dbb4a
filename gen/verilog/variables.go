package verilog

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/hw/ir"
)

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
func isBlock(a *ir.Assign) bool { return !a.LHS.Part && needsBlock(simplify.Uncast(a.RHS)) }

// needsBlock tells whether e is written as a loop, which takes an always
// block.
func needsBlock(e *ir.Expr) bool {
	switch e.Op {
	case ir.EqLanes:
		return e.Args[0].Type.Width > 1
	case ir.Select:
		return e.Args[1].Type.Width > 1
	case ir.Encode, ir.PopCount, ir.Route, ir.Update:
		return true
	}
	return simplify.IsLongDivision(e)
}
