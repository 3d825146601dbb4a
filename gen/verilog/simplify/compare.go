package simplify

import "github.com/hotline-rtl/hotline/hw/ir"

// rewriteEqual turns comparisons of single bits with constants into the bit. Named states
// stay.
func rewriteEqual(e *ir.Expr) *ir.Expr {
	x, y := e.Args[0], e.Args[1]
	if x.Op == ir.Const {
		x, y = y, x
	}
	if y.Op != ir.Const {
		return e
	}
	if y.Label == "" && x.Type.Width == 1 {
		if isOnes(y) == (e.Op == ir.Eq) {
			return x
		}
		return Node(e, ir.Not, 1, x)
	}
	if y == e.Args[1] {
		return e
	}
	return &ir.Expr{Op: e.Op, Type: e.Type, Args: []*ir.Expr{x, y}, Pos: e.Pos}
}

// rewriteOrder resolves comparisons with only one outcome, and those that test for equality.
func rewriteOrder(e *ir.Expr) *ir.Expr {
	x, y := e.Args[0], e.Args[1]
	less := e.Op == ir.LtU
	switch {
	case less && (IsZero(y) || isOnes(x)):
		return zero(e)
	case !less && (IsZero(x) || isOnes(y)):
		return AllOnes(e)
	case less && isOnes(y):
		return Node(e, ir.Ne, 1, x, y)
	case less && IsZero(x):
		return Node(e, ir.Ne, 1, y, x)
	case !less && IsZero(y):
		return Node(e, ir.Eq, 1, x, y)
	case !less && isOnes(x):
		return Node(e, ir.Eq, 1, y, x)
	}
	return e
}
