package simplify

import "github.com/hotline-rtl/hotline/hw/ir"

// Value is what list leaves in l, which holds v before.
func Value(list []ir.Stmt, l ir.LValue, v *ir.Expr) *ir.Expr {
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
			v = muxOf(st.Cond, Value(st.Then, l, v), Value(st.Else, l, v))
		case *ir.Switch:
			next := Value(st.Default, l, v)
			for i := len(st.Cases) - 1; i >= 0; i-- {
				c := st.Cases[i]
				x := Value(c.Body, l, v)
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

// updated is the vector v after an assignment to the element that i selects.
func updated(v, i *ir.Expr, st *ir.Assign) *ir.Expr {
	old := rewrite(&ir.Expr{Op: ir.Elem, Type: v.Type.Elem(), Args: []*ir.Expr{v, i}, Pos: st.Pos})
	return rewrite(&ir.Expr{Op: ir.Update, Type: v.Type, Args: []*ir.Expr{v, i, splice(old, st)}, Pos: st.Pos})
}

// splice is what an assignment to bits leaves of v; nil has none of the others yet.
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
