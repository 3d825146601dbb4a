package syntax

import "slices"

// WalkItem calls f for each expression of it and of the items in it, and reports whether the
// expression is written. Parts of expressions are left to WalkExpr.
func WalkItem(it Item, f func(x Expr, written bool)) {
	switch it := it.(type) {
	case *DeclItem:
		if it.Init != nil {
			f(it.Init, false)
		}
	case *AssignItem:
		f(it.Lhs, true)
		f(it.Rhs, false)
	case *AlwaysItem:
		if it.Clock != nil {
			f(&Ident{it.Clock}, false)
		}
		WalkStmts(it.Body, f)
	case *InstanceItem:
		for _, c := range it.Conns {
			f(c.Value, c.Output)
		}
	case *GenerateItem:
		for _, in := range it.Body {
			WalkItem(in, f)
		}
	case *FormalItem:
		for _, in := range slices.Concat(it.Formal, it.Simulated) {
			WalkItem(in, f)
		}
	}
}

// WalkStmts calls f for each expression of the statements, as WalkItem does.
func WalkStmts(list []Stmt, f func(x Expr, written bool)) {
	for _, s := range list {
		switch s := s.(type) {
		case *SetStmt:
			f(s.Lhs, true)
			f(s.Rhs, false)
		case *IfStmt:
			f(s.Cond, false)
			WalkStmts(s.Then, f)
			WalkStmts(s.Else, f)
		case *CaseStmt:
			f(s.Of, false)
			for _, c := range s.Items {
				for _, l := range c.Labels {
					f(l, false)
				}
				WalkStmts(c.Body, f)
			}
			WalkStmts(s.Default, f)
		case *ForStmt:
			WalkStmts(s.Body, f)
		case *AssertStmt:
			f(s.Cond, false)
		}
	}
}

// WalkExpr calls f for x and all its operands, outermost first.
func WalkExpr(x Expr, f func(Expr)) {
	f(x)
	switch x := x.(type) {
	case *DynPart:
		WalkExpr(x.Index, f)
	case *Word:
		WalkExpr(x.Addr, f)
	case *Unary:
		WalkExpr(x.X, f)
	case *Binary:
		WalkExpr(x.X, f)
		WalkExpr(x.Y, f)
	case *Ternary:
		WalkExpr(x.Cond, f)
		WalkExpr(x.Yes, f)
		WalkExpr(x.No, f)
	case *Concat:
		for _, p := range x.Parts {
			WalkExpr(p, f)
		}
	case *Repeat:
		WalkExpr(x.X, f)
	case *Signed:
		WalkExpr(x.X, f)
	}
}

// Mention adds the objects in x to set.
func Mention(x Expr, set map[*Object]bool) {
	WalkExpr(x, func(x Expr) {
		switch x := x.(type) {
		case *Ident:
			set[x.Obj] = true
		case *Part:
			set[x.Obj] = true
		case *DynPart:
			set[x.Obj] = true
		case *Word:
			set[x.Mem] = true
		}
	})
}
