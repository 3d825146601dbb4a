package simplify

import "github.com/hotline-rtl/hotline/hw/ir"

// rewrite simplifies an operator whose operands are simplified.
func rewrite(e *ir.Expr) *ir.Expr {
	if k := fold(e); k != nil {
		return k
	}
	if x := rewriteAlike(e); x != nil {
		return x
	}
	switch e.Op {
	case ir.Not:
		return rewriteNot(e)
	case ir.RedAnd, ir.RedXor, ir.Lowest:
		if e.Args[0].Type.Width == 1 {
			return e.Args[0]
		}
		if e.Op == ir.RedAnd && e.Args[0].Op == ir.ZExt {
			return zero(e)
		}
		if e.Op == ir.RedXor {
			return rewriteParity(e)
		}
	case ir.Eq, ir.Ne:
		if x := rewriteConstantBits(e); x != nil {
			return x
		}
		return rewriteEqual(e)
	case ir.LtU, ir.LeU:
		return rewriteOrder(e)
	case ir.LtS:
		// A set bit is -1. Verilator 5.006 has the order of some such bits wrong.
		if e.Args[0].Type.Width == 1 {
			return Node(e, ir.LtU, 1, e.Args[1], e.Args[0])
		}
	case ir.And, ir.Or:
		return rewriteLogic(e)
	case ir.Add, ir.Sub, ir.Xor:
		return rewriteSum(e)
	case ir.Mul:
		if IsZero(e.Args[0]) || IsZero(e.Args[1]) {
			return zero(e)
		}
	case ir.DivU, ir.ModU:
		return rewriteDivision(e)
	case ir.Mux:
		return rewriteMux(e)
	case ir.Slice:
		return rewriteSlice(e)
	case ir.Concat:
		return rewriteConcat(e)
	case ir.ZExt, ir.SExt:
		x := e.Args[0]
		if x.Type.Width == e.Type.Width {
			return x
		}
		if e.Op == ir.ZExt && x.Op == ir.ZExt {
			return Node(e, ir.ZExt, e.Type.Width, x.Args[0])
		}
	case ir.ElemAt:
		return rewriteElemAt(e)
	case ir.Elem:
		n := e.Args[0].Type.Len
		if i := e.Args[1]; i.Op == ir.Const && i.Uint() >= uint64(n) {
			return zero(e)
		} else if a, fixed := FixedIndex(i, n); fixed {
			return rewrite(&ir.Expr{Op: ir.ElemAt, Type: e.Type, Args: e.Args[:1], Index: a, Pos: e.Pos})
		}
	case ir.Shl, ir.ShrU, ir.ShrS:
		return rewriteShift(e)
	case ir.Pack:
		return rewritePack(e)
	case ir.Unpack:
		if x := e.Args[0]; x.Op == ir.Pack && x.Args[0].Type == e.Type {
			return x.Args[0]
		}
	case ir.Update:
		if e.Args[1].Op == ir.Const {
			return rewriteUpdate(e)
		}
	case ir.Encode:
		if e.Args[0].Type.Width <= 2 {
			return encodePair(e)
		}
	}
	return rewriteSingle(e)
}

// Node returns a simplified expression at the position of from.
func Node(from *ir.Expr, op ir.Op, width int, args ...*ir.Expr) *ir.Expr {
	return rewrite(&ir.Expr{Op: op, Type: ir.Type{Width: width}, Args: args, Pos: from.Pos})
}
