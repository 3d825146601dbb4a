package simplify

import "github.com/hotline-rtl/hotline/hw/ir"

// rewriteNot inverts the operator below.
func rewriteNot(e *ir.Expr) *ir.Expr {
	x := e.Args[0]
	switch x.Op {
	case ir.Not:
		return x.Args[0]
	case ir.Eq:
		return Node(x, ir.Ne, 1, x.Args...)
	case ir.Ne:
		if y := AnyOf(x); y != nil {
			return Node(x, ir.Eq, 1, y, zero(y))
		}
		return Node(x, ir.Eq, 1, x.Args...)
	case ir.LtU:
		return Node(x, ir.LeU, 1, x.Args[1], x.Args[0])
	case ir.LeU:
		return Node(x, ir.LtU, 1, x.Args[1], x.Args[0])
	}
	return e
}

// rewriteLogic resolves And and Or with all zeros or all ones.
func rewriteLogic(e *ir.Expr) *ir.Expr {
	if e.Type.IsVec() {
		return e
	}
	x, y := e.Args[0], e.Args[1]
	absorbs, neutral := IsZero, isOnes
	if e.Op == ir.Or {
		absorbs, neutral = isOnes, IsZero
	}
	switch {
	case absorbs(x) || neutral(y):
		return x
	case absorbs(y) || neutral(x):
		return y
	}
	return e
}

// rewriteMux resolves choices with one outcome. An inverted condition swaps the operands.
func rewriteMux(e *ir.Expr) *ir.Expr {
	c, yes, no := e.Args[0], e.Args[1], e.Args[2]
	switch {
	case isOnes(c) || yes == no || yes.Op == ir.Const && no.Op == ir.Const && equalWords(yes.Val, no.Val):
		return yes
	case IsZero(c):
		return no
	case e.Type == ir.Type{Width: 1} && (isPlain(yes) || isPlain(no)):
		return rewriteBitMux(e)
	case c.Op == ir.Not:
		return &ir.Expr{Op: ir.Mux, Type: e.Type, Args: []*ir.Expr{c.Args[0], no, yes}, Pos: e.Pos}
	}
	return e
}

// rewriteBitMux turns a choice between a bit and a constant, or two constants, into logic.
func rewriteBitMux(e *ir.Expr) *ir.Expr {
	c, yes, no := e.Args[0], e.Args[1], e.Args[2]
	not := Node(e, ir.Not, 1, c)
	switch {
	case isPlain(yes) && isPlain(no) && isOnes(yes):
		return c
	case isPlain(yes) && isPlain(no):
		return not
	case isPlain(yes) && isOnes(yes):
		return Node(e, ir.Or, 1, c, no)
	case isPlain(yes):
		return Node(e, ir.And, 1, not, no)
	case isOnes(no):
		return Node(e, ir.Or, 1, not, yes)
	}
	return Node(e, ir.And, 1, c, yes)
}

// muxOf returns a simplified choice. An operand that is nil is never chosen.
func muxOf(c, yes, no *ir.Expr) *ir.Expr {
	if yes == nil || no == nil || yes == no {
		if yes == nil {
			return no
		}
		return yes
	}
	return rewrite(&ir.Expr{Op: ir.Mux, Type: yes.Type, Args: []*ir.Expr{c, yes, no}, Pos: yes.Pos})
}

// rewriteParity looks through complements, zeros and choices of them. Verilator 5.006 does the
// same, and stops with an internal error where a single bit is left.
func rewriteParity(e *ir.Expr) *ir.Expr {
	switch x := e.Args[0]; {
	case x.Op == ir.ZExt:
		return rewrite(Node(e, ir.RedXor, 1, x.Args[0]))
	case x.Op == ir.Mux && x.Args[1].Op == ir.ZExt && x.Args[2].Op == ir.ZExt:
		return muxOf(x.Args[0], Node(e, ir.RedXor, 1, x.Args[1]), Node(e, ir.RedXor, 1, x.Args[2]))
	case x.Op == ir.Not && x.Type.Width%2 == 0:
		return rewrite(Node(e, ir.RedXor, 1, x.Args[0]))
	case x.Op == ir.Not:
		return rewrite(Node(e, ir.Not, 1, rewrite(Node(e, ir.RedXor, 1, x.Args[0]))))
	}
	return e
}
