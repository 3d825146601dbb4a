package verilog

import (
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// choose translates a Switch. Cases that do nothing are left to the default,
// unless that is another case.
func (b *builder) choose(st *ir.Switch) stmt {
	n := &caseStmt{of: b.chooser(st.Of), src: b.src(st.Pos)}
	var of *ir.Signal
	if st.Of.Op == ir.Ref {
		of = st.Of.Sig
	}
	// Without a value before it, the last case stands for the default.
	at := map[string]int{}
	covered := b.where == sensitive && complete(st) && !b.allDefaulted(st)
	for i, c := range st.Cases {
		if len(c.Body) == 0 && len(st.Default) == 0 && !covered {
			continue
		}
		k := caseItem{src: b.src(c.Pos)}
		for _, v := range c.Values {
			k.labels = append(k.labels, b.constant(v, of))
		}
		k.body = b.branch(c.Body)
		if covered && i == len(st.Cases)-1 {
			n.rest, n.restFor = k.body, labelText(k.labels)
			continue
		}
		addCase(n, k, at)
	}
	if len(st.Default) > 0 {
		n.rest = b.branch(st.Default)
	}
	if len(n.items) == 1 && len(n.items[0].labels) == 1 && n.restFor == "" {
		k := n.items[0]
		return &ifStmt{cond: equals(n.of, k.labels[0]), then: k.body, els: n.rest, src: n.src}
	}
	return n
}

// addCase appends k to the items of n, or its labels to those of the item that does the
// same: at says where that is.
func addCase(n *caseStmt, k caseItem, at map[string]int) {
	does := bodyText(k.body) + k.src
	if i, same := at[does]; same {
		n.items[i].labels = append(n.items[i].labels, k.labels...)
		return
	}
	at[does] = len(n.items)
	n.items = append(n.items, k)
}

func labelText(labels []expr) string {
	var out []string
	for _, l := range labels {
		out = append(out, exprText(l))
	}
	return strings.Join(out, ", ")
}

// equals compares x with a number or the name of a state.
func equals(x, label expr) expr {
	if k, ok := label.(*number); ok && k.width == 1 {
		if k.val[0] == 1 {
			return x
		}
		return &unary{"!", x}
	}
	return &binary{"==", x, label}
}

// allDefaulted tells whether all that st assigns has a value before it.
func (b *builder) allDefaulted(st *ir.Switch) bool {
	all := true
	ir.WalkStmts([]ir.Stmt{st}, func(s ir.Stmt) {
		if a, ok := s.(*ir.Assign); ok && !b.defaulted[a.LHS.Sig] {
			all = false
		}
	})
	return all
}

// chooser is a condition, or what a case is about. If it may be constant in some
// iteration of a loop, it is a wire: Icarus waits for ever in an always @* of which
// but a branch with constants is left.
func (b *builder) chooser(e *ir.Expr) expr {
	if b.where == sensitive && e.Op != ir.Const && folds(e) {
		return &ident{b.name(e)}
	}
	return b.expr(e)
}

// folds tells whether e may be constant when loop variables are numbers.
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
