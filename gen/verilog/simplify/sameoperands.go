package simplify

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// rewriteAlike returns the value of an operator whose operands are equal, nil if they are not
// known to be.
func rewriteAlike(e *ir.Expr) *ir.Expr {
	if len(e.Args) != 2 || e.Type.IsVec() || !alike(e.Args[0], e.Args[1]) {
		return nil
	}
	switch e.Op {
	case ir.Eq, ir.LeU:
		return AllOnes(e)
	case ir.Ne, ir.LtU, ir.LtS, ir.Sub, ir.Xor:
		return zero(e)
	case ir.And, ir.Or:
		return e.Args[0]
	}
	return nil
}

// alike reports whether x and y are the same node, or the same wiring of the same signals and
// constants.
func alike(x, y *ir.Expr) bool {
	if x == y {
		return true
	}
	if x.Op != y.Op || x.Type != y.Type {
		return false
	}
	switch x.Op {
	case ir.Ref:
		return x.Sig == y.Sig
	case ir.LoopConst:
		return x.Index.String() == y.Index.String()
	case ir.Const:
		return slices.Equal(x.Val, y.Val)
	case ir.ElemAt:
		return x.Index.String() == y.Index.String() && alike(x.Args[0], y.Args[0])
	case ir.Slice, ir.Concat, ir.ZExt, ir.SExt, ir.Pack, ir.Unpack:
		return x.Lo == y.Lo && slices.EqualFunc(x.Args, y.Args, alike)
	}
	return false
}
