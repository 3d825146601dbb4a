package passes

import "github.com/hotline-rtl/hotline/gen/verilog/syntax"

// unifyRadix prints the numbers that a reader compares in one radix. These are the labels of a
// case, all other numbers that one value is compared with, and all numbers that one object is
// assigned. A 0 that is assigned does not count. Bounds of an order are counts.
func unifyRadix(m *syntax.Module) {
	r := radixes{compared: map[string][]*syntax.Number{}, assigned: map[*syntax.Object][]*syntax.Number{}}
	for _, it := range m.Items {
		r.item(it)
	}
	for _, list := range r.compared {
		unify(list)
	}
	for _, list := range r.assigned {
		unify(list)
	}
}

// unify makes all numbers hexadecimal if one of them is.
func unify(list []*syntax.Number) {
	hex := false
	for _, n := range list {
		hex = hex || n.InHex()
	}
	for _, n := range list {
		n.Hex = hex
	}
}

// radixes collects numbers by the text that they are compared with, and by the object that
// they are assigned to.
type radixes struct {
	compared map[string][]*syntax.Number
	assigned map[*syntax.Object][]*syntax.Number
}

func (r radixes) item(it syntax.Item) {
	switch it := it.(type) {
	case *syntax.DeclItem:
		if it.Init != nil {
			r.gives(it.Obj, it.Init)
		}
	case *syntax.AssignItem:
		r.gives(assigned(it.Lhs), it.Rhs)
	case *syntax.AlwaysItem:
		r.stmts(it.Body)
	case *syntax.GenerateItem:
		for _, in := range it.Body {
			r.item(in)
		}
		return
	}
	syntax.WalkItem(it, func(x syntax.Expr, _ bool) { syntax.WalkExpr(x, r.compares) })
}

func (r radixes) stmts(list []syntax.Stmt) {
	for _, s := range list {
		switch s := s.(type) {
		case *syntax.SetStmt:
			r.gives(assigned(s.Lhs), s.Rhs)
		case *syntax.IfStmt:
			r.stmts(s.Then)
			r.stmts(s.Else)
		case *syntax.CaseStmt:
			for _, k := range s.Items {
				for _, l := range k.Labels {
					r.compares(&syntax.Binary{Op: "==", X: s.Of, Y: l})
				}
				r.stmts(k.Body)
			}
			r.stmts(s.Default)
		case *syntax.ForStmt:
			r.stmts(s.Body)
		}
	}
}

// gives records the numbers among the alternatives of x, which o is assigned.
func (r radixes) gives(o *syntax.Object, x syntax.Expr) {
	switch x := x.(type) {
	case *syntax.Number:
		if x.Width > 1 && !x.IsZero() {
			r.assigned[o] = append(r.assigned[o], x)
		}
	case *syntax.Ternary:
		r.gives(o, x.Yes)
		r.gives(o, x.No)
	}
}

// compares records the number in a comparison.
func (r radixes) compares(x syntax.Expr) {
	b, ok := x.(*syntax.Binary)
	if !ok || !syntax.IsComparison(b.Op) {
		return
	}
	if n, ok := b.Y.(*syntax.Number); ok && syntax.IsOrder(b.Op) {
		n.Count = true
	} else if ok && n.Width > 1 {
		of := syntax.ExprText(b.X)
		r.compared[of] = append(r.compared[of], n)
	}
}
