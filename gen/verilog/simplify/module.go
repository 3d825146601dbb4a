package simplify

import "github.com/hotline-rtl/hotline/hw/ir"

// simplifier rewrites the expressions of a module. Shared nodes stay shared.
type simplifier struct {
	memo    map[*ir.Expr]*ir.Expr
	written map[*ir.Mem]bool // memories with a write or contents
}

// Module returns the simplified statements of each scope of m. Reads of a memory that nothing
// writes become 0, and branches that are never taken go. This is repeated while it removes the
// last writes of further memories. With powerUp, reads of such memories stay if the
// description writes them.
func Module(m *ir.Module, powerUp bool) map[*ir.Scope][]ir.Stmt {
	written := map[*ir.Mem]bool{}
	m.Body.Walk(func(sc *ir.Scope) {
		noteContents(sc, written)
		noteWrites(sc.Stmts, written)
	})
	for {
		s := &simplifier{memo: map[*ir.Expr]*ir.Expr{}, written: written}
		out, left := map[*ir.Scope][]ir.Stmt{}, map[*ir.Mem]bool{}
		m.Body.Walk(func(sc *ir.Scope) {
			out[sc] = s.scope(sc.Stmts)
			noteContents(sc, left)
			noteWrites(out[sc], left)
		})
		if powerUp || len(left) == len(written) {
			return out
		}
		written = left
	}
}

func noteContents(s *ir.Scope, written map[*ir.Mem]bool) {
	for _, m := range s.Mems {
		if m.Init != nil {
			written[m] = true
		}
	}
}

func noteWrites(list []ir.Stmt, written map[*ir.Mem]bool) {
	ir.WalkStmts(list, func(st ir.Stmt) {
		if w, ok := st.(*ir.MemWrite); ok {
			written[w.Mem] = true
		}
	})
}

// expr returns e with simplified operands and operators.
func (s *simplifier) expr(e *ir.Expr) *ir.Expr {
	if out, ok := s.memo[e]; ok {
		return out
	}
	n := e
	for i, a := range e.Args {
		x := s.expr(a)
		if x == a {
			continue
		}
		if n == e {
			c := *e
			c.Args = append([]*ir.Expr(nil), e.Args...)
			n = &c
		}
		n.Args[i] = x
	}
	if n.Op == ir.MemRead && (!s.written[n.Mem] || beyond(n.Args[0], n.Mem.Depth)) {
		n = zero(n)
	} else {
		n = rewrite(n)
	}
	s.memo[e] = n
	return n
}
