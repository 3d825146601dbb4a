package build

import (
	"github.com/hotline-rtl/hotline/gen/verilog/plan"
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// operators holds the operators that Verilog has, too.
var operators = map[ir.Op]string{
	ir.Not: "~", ir.RedAnd: "&", ir.RedXor: "^",
	ir.Add: "+", ir.Sub: "-", ir.Mul: "*", ir.DivU: "/", ir.ModU: "%", ir.And: "&", ir.Or: "|", ir.Xor: "^",
	ir.Eq: "==", ir.Ne: "!=", ir.LtU: "<", ir.LeU: "<=", ir.LtS: "<",
	ir.Shl: "<<", ir.ShrU: ">>", ir.ShrS: ">>>",
}

// expr translates e, through a name where it needs one.
func (b *builder) expr(e *ir.Expr) syntax.Expr { return b.value(e, nil) }

// value translates e as expr does. A constant is a value of the signal of, if that is not nil,
// and has the name from its enum.
func (b *builder) value(e *ir.Expr, of *ir.Signal) syntax.Expr {
	if o := b.named[e]; o != nil {
		return &syntax.Ident{Obj: o}
	}
	if b.wantsName(e) {
		return &syntax.Ident{Obj: b.name(e)}
	}
	return b.inline(e, of)
}

// wantsName reports whether e becomes a signal of its own in the present context.
func (b *builder) wantsName(e *ir.Expr) bool {
	switch {
	case plan.NeedsBlock(e), e.Op == ir.ShrS:
		return true
	case e.Op == ir.MemRead && b.where == sensitive:
		return true
	}
	return b.repeats(e)
}

// repeats reports whether e is read so often that repeating it would take many operators.
func (b *builder) repeats(e *ir.Expr) bool { return b.weight(e)*(b.uses[e]-1) > 2 }

// weight returns the number of operators in the text of e.
func (b *builder) weight(e *ir.Expr) int {
	if w, ok := b.weights[e]; ok {
		return w
	}
	w := 0
	switch e.Op {
	case ir.Const, ir.Ref, ir.LoopConst, ir.Pack, ir.Unpack, ir.Slice, ir.ElemAt, ir.ZExt:
	case ir.VecOf, ir.Concat:
		w = len(e.Args) - 1
	case ir.Mux, ir.MemRead, ir.Elem, ir.SExt:
		w = 2
	case ir.Lowest, ir.DivU, ir.ModU:
		w = 3
	default:
		w = 1
	}
	for _, a := range e.Args {
		if !plan.NeedsBlock(a) && !b.repeats(a) {
			w += b.weight(a)
		}
	}
	b.weights[e] = w
	return w
}

// simple translates e to a signal, a part of one or a constant, which may be repeated and
// indexed.
func (b *builder) simple(e *ir.Expr) syntax.Expr {
	if e.Op == ir.Const || e.Op == ir.LoopConst {
		return b.expr(e)
	}
	return b.part(e)
}

// inline translates the operator of e itself.
func (b *builder) inline(e *ir.Expr, of *ir.Signal) syntax.Expr {
	if x := simplify.AnyOf(e); x != nil {
		return &syntax.Unary{Op: "|", X: b.expr(x)}
	}
	switch e.Op {
	case ir.Const:
		return b.constant(e, of)
	case ir.LoopConst:
		return b.loopConst(e)
	case ir.Ref:
		return &syntax.Ident{Obj: b.objs[e.Sig]}
	case ir.Slice, ir.ElemAt: // not part, which would take a name that e has itself
		return b.fixedPart(e)
	case ir.Pack, ir.Unpack:
		return b.expr(e.Args[0])
	case ir.Not, ir.RedAnd, ir.RedXor:
		op := operators[e.Op]
		if e.Op == ir.Not && e.Type.Width == 1 {
			op = "!"
		}
		return &syntax.Unary{Op: op, X: b.expr(e.Args[0])}
	case ir.LtS:
		return &syntax.Binary{Op: "<", X: &syntax.Signed{X: b.expr(e.Args[0])}, Y: &syntax.Signed{X: b.expr(e.Args[1])}}
	case ir.ShrS:
		return &syntax.Binary{Op: ">>>", X: &syntax.Signed{X: b.shifted(e.Args[0])}, Y: b.amount(e.Args[1])}
	case ir.Shl:
		return &syntax.Binary{Op: "<<", X: b.shifted(e.Args[0]), Y: b.amount(e.Args[1])}
	case ir.ShrU:
		return &syntax.Binary{Op: ">>", X: b.unsigned(e.Args[0], b.shifted), Y: b.amount(e.Args[1])}
	case ir.And, ir.Or:
		op := operators[e.Op]
		if e.Type == (ir.Type{Width: 1}) {
			op += op
		}
		return &syntax.Binary{Op: op, X: b.expr(e.Args[0]), Y: b.expr(e.Args[1])}
	case ir.Eq, ir.Ne, ir.LtU, ir.LeU:
		return b.compare(e)
	case ir.Add, ir.Sub, ir.Mul, ir.Xor:
		if x := e.Args[0]; e.Op == ir.Sub && simplify.IsZero(x) && x.Label == "" {
			return &syntax.Unary{Op: "-", X: b.expr(e.Args[1])}
		}
		return &syntax.Binary{Op: operators[e.Op], X: b.expr(e.Args[0]), Y: b.expr(e.Args[1])}
	case ir.DivU, ir.ModU:
		return b.division(e)
	case ir.Mux:
		return &syntax.Ternary{Cond: b.expr(e.Args[0]), Yes: b.value(e.Args[1], of), No: b.value(e.Args[2], of)}
	case ir.Concat:
		return b.concat(e.Args)
	case ir.VecOf:
		return b.concat(reversed(e.Args))
	case ir.ZExt:
		return &syntax.Concat{Parts: []syntax.Expr{syntax.Zeros(e.Type.Width - e.Args[0].Type.Width), b.expr(e.Args[0])}}
	case ir.SExt:
		return b.signExtension(e)
	}
	return b.inlineArray(e)
}

// compare translates a comparison, with a constant on the right.
func (b *builder) compare(e *ir.Expr) syntax.Expr {
	x, y, op := e.Args[0], e.Args[1], operators[e.Op]
	if x.Op == ir.Const {
		x, y = y, x
		op = map[string]string{"<": ">", "<=": ">=", "==": "==", "!=": "!="}[op]
	}
	var of *ir.Signal
	if x.Op == ir.Ref {
		of = x.Sig
	}
	if (e.Op == ir.LtU || e.Op == ir.LeU) && y.Op != ir.Const && b.areSigned(e.Args) {
		return &syntax.Binary{Op: op, X: b.unsigned(x, b.expr), Y: b.unsigned(y, b.expr)}
	}
	return &syntax.Binary{Op: op, X: b.expr(x), Y: b.value(y, of)}
}

// amount translates the amount of a shift. A constant is less than the width of the shifted
// operand, and needs no width.
func (b *builder) amount(e *ir.Expr) syntax.Expr {
	if e.Op == ir.Const {
		return &syntax.Number{Val: e.Val[:1]}
	}
	return b.shifted(e)
}

// shifted translates an operand of a shift. A word of a memory gets a name: Icarus Verilog 11
// cannot load what it compiles from a shift of a word at a constant address.
func (b *builder) shifted(e *ir.Expr) syntax.Expr {
	if e.Op == ir.MemRead {
		return &syntax.Ident{Obj: b.name(e)}
	}
	return b.expr(e)
}

// inlineArray translates the operators on memories, arrays and words that are expressions in
// Verilog, too.
func (b *builder) inlineArray(e *ir.Expr) syntax.Expr {
	switch e.Op {
	case ir.MemRead:
		return b.memRead(e)
	case ir.Elem:
		x := b.elem(e)
		if n := e.Args[0].Type.Len; simplify.MayExceed(n, e.Args[1]) {
			return &syntax.Ternary{Cond: b.inRange(e.Args[1], n), Yes: x, No: syntax.Zeros(e.Type.Width)}
		}
		return x
	case ir.Lowest:
		x := b.simple(e.Args[0])
		return &syntax.Binary{Op: "&", X: x, Y: &syntax.Binary{Op: "+", X: &syntax.Unary{Op: "~", X: x}, Y: syntax.Sized(e.Type.Width, 1)}}
	case ir.EqLanes: // of bits
		copies := &syntax.Repeat{N: e.Type.Width, X: b.simple(e.Args[1])}
		return &syntax.Unary{Op: "~", X: &syntax.Binary{Op: "^", X: b.expr(e.Args[0]), Y: copies}}
	case ir.Select: // of bits
		return &syntax.Unary{Op: "|", X: &syntax.Binary{Op: "&", X: b.expr(e.Args[0]), Y: b.expr(e.Args[1])}}
	}
	panic("verilog: no translation of " + e.Op.String())
}
