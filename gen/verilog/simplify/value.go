package simplify

import "github.com/hotline-rtl/hotline/hw/ir"

// Value returns the value that statements leave in l. They assign all of it.
func Value(list []ir.Stmt, l ir.LValue) *ir.Expr { return valueAfter(list, l, nil) }

// valueAfter returns the value that statements leave in l, which has the value v before them.
// A v of nil is undefined.
func valueAfter(list []ir.Stmt, l ir.LValue, v *ir.Expr) *ir.Expr {
	for _, st := range list {
		switch st := st.(type) {
		case *ir.Assign:
			switch {
			case TargetOf(st.LHS) != TargetOf(l) && !(st.LHS.Sig == l.Sig && !l.Part):
			case st.LHS.Part && !l.Part:
				i := &ir.Expr{Op: ir.Const, Type: ir.Type{Width: ir.IndexWidth(l.Sig.Type.Len)}, Val: []uint64{uint64(st.LHS.Index.Const)}, Pos: st.Pos}
				v = updated(v, i, st)
			case st.LHS.Dyn != nil:
				v = updated(v, st.LHS.Dyn, st)
			default:
				v = splice(v, st)
			}
		case *ir.When:
			v = muxOf(st.Cond, valueAfter(st.Then, l, v), valueAfter(st.Else, l, v))
		case *ir.Switch:
			next := valueAfter(st.Default, l, v)
			for i := len(st.Cases) - 1; i >= 0; i-- {
				c := st.Cases[i]
				x := valueAfter(c.Body, l, v)
				if next == nil { // the cases are complete
					next = x
					continue
				}
				next = muxOf(caseCond(st.Of, c), x, next)
			}
			v = next
		}
	}
	return v
}

// updated returns the vector v after an assignment to the element that i selects.
func updated(v, i *ir.Expr, st *ir.Assign) *ir.Expr {
	old := rewrite(&ir.Expr{Op: ir.Elem, Type: v.Type.Elem(), Args: []*ir.Expr{v, i}, Pos: st.Pos})
	return rewrite(&ir.Expr{Op: ir.Update, Type: v.Type, Args: []*ir.Expr{v, i, splice(old, st)}, Pos: st.Pos})
}

// splice returns v after an assignment to some bits of it. If v is nil, other bits are 0.
func splice(v *ir.Expr, st *ir.Assign) *ir.Expr {
	l, w := st.LHS, st.LHS.Sig.Type.Width
	if l.Bits == 0 {
		return st.RHS
	}
	if v == nil {
		v = zero(&ir.Expr{Type: ir.Type{Width: w}, Pos: st.Pos})
	}
	var parts []*ir.Expr
	if above := w - l.Lo - l.Bits; above > 0 {
		parts = append(parts, slice(st.RHS, v, l.Lo+l.Bits, above))
	}
	parts = append(parts, st.RHS)
	if l.Lo > 0 {
		parts = append(parts, slice(st.RHS, v, 0, l.Lo))
	}
	return Node(st.RHS, ir.Concat, w, parts...)
}

// caseCond returns the condition under which a Switch takes a case.
func caseCond(of *ir.Expr, c *ir.Case) *ir.Expr {
	var cond *ir.Expr
	for _, v := range c.Values {
		eq := Node(of, ir.Eq, 1, of, v)
		if cond == nil {
			cond = eq
		} else {
			cond = Node(of, ir.Or, 1, cond, eq)
		}
	}
	return cond
}
