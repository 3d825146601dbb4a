package build

import (
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// choose translates a Switch. Cases that do nothing are left to the default, unless the
// default does something.
func (b *builder) choose(st *ir.Switch) syntax.Stmt {
	n := &syntax.CaseStmt{Of: b.chooser(st.Of), Src: b.src(st.Pos)}
	var of *ir.Signal
	if st.Of.Op == ir.Ref {
		of = st.Of.Sig
	}
	// Without a value before it, the last case becomes the default.
	at := map[string]int{}
	covered := b.where == sensitive && simplify.Complete(st) && !b.allDefaulted(st)
	for i, c := range st.Cases {
		if len(c.Body) == 0 && len(st.Default) == 0 && !covered {
			continue
		}
		k := syntax.CaseItem{Src: b.src(c.Pos)}
		for _, v := range c.Values {
			k.Labels = append(k.Labels, b.constant(v, of))
		}
		k.Body = b.branch(c.Body)
		if covered && i == len(st.Cases)-1 {
			n.Default, n.DefaultFor = k.Body, labelText(k.Labels)
			continue
		}
		addCase(n, k, at)
	}
	if len(st.Default) > 0 {
		n.Default = b.branch(st.Default)
	}
	if len(n.Items) == 1 && len(n.Items[0].Labels) == 1 && n.DefaultFor == "" {
		k := n.Items[0]
		return &syntax.IfStmt{Cond: equals(n.Of, k.Labels[0]), Then: k.Body, Else: n.Default, Src: n.Src}
	}
	return n
}

// addCase appends k to the items of n. If an item does the same, it gets the labels of k. The
// map at holds the items by what they do.
func addCase(n *syntax.CaseStmt, k syntax.CaseItem, at map[string]int) {
	does := syntax.StmtsText(k.Body) + k.Src
	if i, same := at[does]; same {
		n.Items[i].Labels = append(n.Items[i].Labels, k.Labels...)
		return
	}
	at[does] = len(n.Items)
	n.Items = append(n.Items, k)
}

// labelText returns the text of labels.
func labelText(labels []syntax.Expr) string {
	var out []string
	for _, l := range labels {
		out = append(out, syntax.ExprText(l))
	}
	return strings.Join(out, ", ")
}

// equals compares x with a number or the name of a state.
func equals(x, label syntax.Expr) syntax.Expr {
	if k, ok := label.(*syntax.Number); ok && k.Width == 1 {
		if k.Val[0] == 1 {
			return x
		}
		return &syntax.Unary{Op: "!", X: x}
	}
	return &syntax.Binary{Op: "==", X: x, Y: label}
}

// allDefaulted reports whether everything that st assigns has a value before it.
func (b *builder) allDefaulted(st *ir.Switch) bool {
	all := true
	ir.WalkStmts([]ir.Stmt{st}, func(s ir.Stmt) {
		if a, ok := s.(*ir.Assign); ok && !b.defaulted[a.LHS.Sig] {
			all = false
		}
	})
	return all
}

// chooser translates a condition, or the operand of a case. If it may be constant in some
// iteration of a loop, it becomes a wire: Icarus waits for ever in an always @* that is left
// with a branch of constants.
func (b *builder) chooser(e *ir.Expr) syntax.Expr {
	if b.where == sensitive && e.Op != ir.Const && folds(e) {
		return &syntax.Ident{Obj: b.name(e)}
	}
	return b.expr(e)
}

// folds reports whether e may be constant when loop variables are numbers.
func folds(e *ir.Expr) bool {
	switch e.Op {
	case ir.Const, ir.LoopConst:
		return true
	case ir.Ref, ir.MemRead, ir.ElemAt:
		return false
	case ir.Mux:
		a, b := folds(e.Args[1]), folds(e.Args[2])
		return a && b || folds(e.Args[0]) && (a || b)
	case ir.And, ir.Or, ir.Mul, ir.DivU, ir.ModU: // one operand may decide
		return slices.ContainsFunc(e.Args, folds)
	}
	return !slices.ContainsFunc(e.Args, func(a *ir.Expr) bool { return !folds(a) })
}
