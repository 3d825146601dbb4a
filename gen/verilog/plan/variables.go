package plan

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// findVariables marks the signals that always blocks assign. A signal with elements that are
// assigned continuously and others in a block stays a net; the blocks then assign a variable
// of their own.
func (mod *Module) findVariables() {
	nets := map[*ir.Signal]bool{}
	mod.Body.Walk(func(s *Scope) {
		for _, it := range s.Items {
			for _, l := range it.Drives {
				if it.Kind == Mux || it.Kind == Assign {
					nets[l.Sig] = true
				} else {
					mod.Variables[l.Sig] = true
				}
			}
		}
	})
	for s := range nets {
		delete(mod.Variables, s)
	}
	mod.Body.Walk(func(s *Scope) {
		for i, it := range s.Items {
			if it.Kind == Comb && !mod.Variables[it.Drives[0].Sig] && len(it.Drives) == 1 && countAssigns(it.Stmts) <= shortChoice {
				s.Items[i].Kind = Mux
			}
		}
	})
}

// shortChoice is the number of assignments up to which a conditional expression replaces a
// block.
const shortChoice = 4

// countAssigns counts the assignments in list.
func countAssigns(list []ir.Stmt) int {
	n := 0
	ir.WalkStmts(list, func(st ir.Stmt) {
		if _, ok := st.(*ir.Assign); ok {
			n++
		}
	})
	return n
}

// isBlock reports whether an assignment must be written as an always block.
func isBlock(a *ir.Assign) bool { return !a.LHS.Part && NeedsBlock(simplify.Uncast(a.RHS)) }

// NeedsBlock reports whether e is written as a loop, and so in an always block.
func NeedsBlock(e *ir.Expr) bool {
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
