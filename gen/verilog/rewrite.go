package verilog

import (
	"math/big"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// rewrite simplifies e, whose operands are simplified.
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
		return rewriteEqual(e)
	case ir.LtU, ir.LeU:
		return rewriteOrder(e)
	case ir.LtS:
		// A set bit is -1. Verilator 5.006 has the order of some such bits wrong.
		if e.Args[0].Type.Width == 1 {
			return node(e, ir.LtU, 1, e.Args[1], e.Args[0])
		}
	case ir.And, ir.Or:
		return rewriteLogic(e)
	case ir.Add, ir.Sub, ir.Xor:
		return rewriteSum(e)
	case ir.Mul:
		if isZero(e.Args[0]) || isZero(e.Args[1]) {
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
			return node(e, ir.ZExt, e.Type.Width, x.Args[0])
		}
	case ir.ElemAt:
		return rewriteElemAt(e)
	case ir.Elem:
		n := e.Args[0].Type.Len
		if i := e.Args[1]; i.Op == ir.Const && i.Uint() >= uint64(n) {
			return zero(e)
		} else if a, fixed := fixedIndex(i, n); fixed {
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

// rewriteParity looks through complements, zeros and choices of them. Verilator 5.006
// does the same, and stops with an internal error where a single bit is left.
func rewriteParity(e *ir.Expr) *ir.Expr {
	switch x := e.Args[0]; {
	case x.Op == ir.ZExt:
		return rewrite(node(e, ir.RedXor, 1, x.Args[0]))
	case x.Op == ir.Mux && x.Args[1].Op == ir.ZExt && x.Args[2].Op == ir.ZExt:
		return muxOf(x.Args[0], node(e, ir.RedXor, 1, x.Args[1]), node(e, ir.RedXor, 1, x.Args[2]))
	case x.Op == ir.Not && x.Type.Width%2 == 0:
		return rewrite(node(e, ir.RedXor, 1, x.Args[0]))
	case x.Op == ir.Not:
		return rewrite(node(e, ir.Not, 1, rewrite(node(e, ir.RedXor, 1, x.Args[0]))))
	}
	return e
}

func rewriteNot(e *ir.Expr) *ir.Expr {
	x := e.Args[0]
	switch x.Op {
	case ir.Not:
		return x.Args[0]
	case ir.Eq:
		return node(x, ir.Ne, 1, x.Args...)
	case ir.Ne:
		if y := anyOf(x); y != nil {
			return node(x, ir.Eq, 1, y, zero(y))
		}
		return node(x, ir.Eq, 1, x.Args...)
	case ir.LtU:
		return node(x, ir.LeU, 1, x.Args[1], x.Args[0])
	case ir.LeU:
		return node(x, ir.LtU, 1, x.Args[1], x.Args[0])
	}
	return e
}

// rewriteEqual turns comparisons of single bits with constants into the bit;
// named states stay.
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
		return node(e, ir.Not, 1, x)
	}
	if y == e.Args[1] {
		return e
	}
	return &ir.Expr{Op: e.Op, Type: e.Type, Args: []*ir.Expr{x, y}, Pos: e.Pos}
}

// rewriteOrder resolves comparisons that have one outcome, or that are a test
// for equality.
func rewriteOrder(e *ir.Expr) *ir.Expr {
	x, y := e.Args[0], e.Args[1]
	less := e.Op == ir.LtU
	switch {
	case less && (isZero(y) || isOnes(x)):
		return zero(e)
	case !less && (isZero(x) || isOnes(y)):
		return allOnes(e)
	case less && isOnes(y):
		return node(e, ir.Ne, 1, x, y)
	case less && isZero(x):
		return node(e, ir.Ne, 1, y, x)
	case !less && isZero(y):
		return node(e, ir.Eq, 1, x, y)
	case !less && isOnes(x):
		return node(e, ir.Eq, 1, y, x)
	}
	return e
}

func rewriteLogic(e *ir.Expr) *ir.Expr {
	if e.Type.IsVec() {
		return e
	}
	x, y := e.Args[0], e.Args[1]
	absorbs, neutral := isZero, isOnes
	if e.Op == ir.Or {
		absorbs, neutral = isOnes, isZero
	}
	switch {
	case absorbs(x) || neutral(y):
		return x
	case absorbs(y) || neutral(x):
		return y
	}
	return e
}

// rewriteSum leaves out a 0.
func rewriteSum(e *ir.Expr) *ir.Expr {
	switch x, y := e.Args[0], e.Args[1]; {
	case e.Type.IsVec():
	case isZero(y):
		return x
	case isZero(x) && e.Op != ir.Sub:
		return y
	}
	return e
}

func rewriteMux(e *ir.Expr) *ir.Expr {
	c, yes, no := e.Args[0], e.Args[1], e.Args[2]
	switch {
	case isOnes(c) || yes == no || yes.Op == ir.Const && no.Op == ir.Const && equalWords(yes.Val, no.Val):
		return yes
	case isZero(c):
		return no
	case e.Type == ir.Type{Width: 1} && (isPlain(yes) || isPlain(no)):
		return rewriteBitMux(e)
	case c.Op == ir.Not:
		return &ir.Expr{Op: ir.Mux, Type: e.Type, Args: []*ir.Expr{c.Args[0], no, yes}, Pos: e.Pos}
	}
	return e
}

// isPlain tells whether e is a constant that names no state.
func isPlain(e *ir.Expr) bool { return e.Op == ir.Const && e.Label == "" }

// rewriteBitMux turns a choice between a bit and a constant, or two constants,
// into logic.
func rewriteBitMux(e *ir.Expr) *ir.Expr {
	c, yes, no := e.Args[0], e.Args[1], e.Args[2]
	not := node(e, ir.Not, 1, c)
	switch {
	case isPlain(yes) && isPlain(no) && isOnes(yes):
		return c
	case isPlain(yes) && isPlain(no):
		return not
	case isPlain(yes) && isOnes(yes):
		return node(e, ir.Or, 1, c, no)
	case isPlain(yes):
		return node(e, ir.And, 1, not, no)
	case isOnes(no):
		return node(e, ir.Or, 1, not, yes)
	}
	return node(e, ir.And, 1, c, yes)
}

// maxAmount is the widest amount that Verilator shifts by as it should. Where it knows
// the amount, it refuses one of more than 32 bits, and the place where a bit ends up is
// a number of 32 bits, which wraps.
const maxAmount = 30

// saturated is e, a function of e's operand i, for the low bits of that operand
// if it has too many, and beyond where a high bit is set.
func saturated(e *ir.Expr, i int, beyond *ir.Expr) *ir.Expr {
	a := e.Args[i]
	low := ir.CountWidth(e.Type.Width)
	n := &ir.Expr{Op: e.Op, Type: e.Type, Args: append([]*ir.Expr(nil), e.Args...), Pos: e.Pos}
	n.Args[i] = slice(e, a, 0, low)
	return muxOf(isAny(slice(e, a, low, a.Type.Width-low)), beyond, rewrite(n))
}

// isAny tells whether a bit of x is set.
func isAny(x *ir.Expr) *ir.Expr {
	none := zero(x)
	none.Hex = true
	return node(x, ir.Ne, 1, x, none)
}

// rewriteShift resolves shifts by nothing and by all bits.
func rewriteShift(e *ir.Expr) *ir.Expr {
	x, a, w := e.Args[0], e.Args[1], e.Type.Width
	switch {
	case isZero(a) || isZero(x) || e.Op == ir.ShrS && w == 1:
		return x
	case decodes(e) && w == 1:
		return node(e, ir.Eq, 1, a, zero(a))
	case a.Op != ir.Const && a.Type.Width > maxAmount && e.Op == ir.ShrS:
		return saturated(e, 1, node(e, ir.SExt, w, slice(e, x, w-1, 1)))
	case a.Op != ir.Const && a.Type.Width > maxAmount:
		return saturated(e, 1, zero(e))
	case a.Op != ir.Const || toBig(a).Cmp(big.NewInt(int64(w))) < 0:
		return e
	case e.Op == ir.ShrS:
		return node(e, ir.SExt, w, slice(e, x, w-1, 1))
	}
	return zero(e)
}
