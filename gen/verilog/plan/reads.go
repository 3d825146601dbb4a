package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// reads returns the signals and memories that expressions read.
func reads(es ...*ir.Expr) []any {
	var out []any
	visited := map[*ir.Expr]bool{}
	for _, e := range es {
		leafReads(e, visited, func(s *ir.Signal) { out = append(out, s) }, func(m *ir.Mem) { out = append(out, m) })
	}
	return out
}

// leafReads calls sig or mem for every signal and memory that e reads.
func leafReads(e *ir.Expr, visited map[*ir.Expr]bool, sig func(*ir.Signal), mem func(*ir.Mem)) {
	ir.WalkExpr(e, visited, func(x *ir.Expr) {
		switch x.Op {
		case ir.Ref:
			sig(x.Sig)
		case ir.MemRead:
			mem(x.Mem)
		}
	})
}

// stmtReads returns the signals and memories that statements read.
func stmtReads(list []ir.Stmt) []any {
	var es []*ir.Expr
	ir.WalkStmts(list, func(st ir.Stmt) { es = append(es, st.Exprs()...) })
	return reads(es...)
}
