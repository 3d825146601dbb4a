package build

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// division translates a division, with the result for a divisor of 0 where that can occur.
func (b *builder) division(e *ir.Expr) syntax.Expr {
	x, y := e.Args[0], e.Args[1]
	if y.Op == ir.Const {
		return &syntax.Binary{Op: operators[e.Op], X: b.unsigned(x, b.expr), Y: b.expr(y)}
	}
	none := b.expr(x)
	if e.Op == ir.DivU {
		none = b.expr(simplify.AllOnes(e))
	}
	by := b.unsigned(y, b.simple)
	isZero := &syntax.Binary{Op: "==", X: by, Y: syntax.Zeros(y.Type.Width)}
	return &syntax.Ternary{Cond: isZero, Yes: none, No: &syntax.Binary{Op: operators[e.Op], X: b.unsigned(x, b.expr), Y: by}}
}

// longDivision returns the steps of a long division, and the variables that they need. Step
// k appends a bit of the dividend to the remainder, and subtracts the divisor if it can. A
// divisor of 0 can always be subtracted, which gives the results that IR defines for it.
func (b *builder) longDivision(e *ir.Expr, d *syntax.Ident, k *syntax.LoopVar) (body []syntax.Stmt, locals []*syntax.Object) {
	w, rest := e.Type.Width, d
	if e.Op == ir.DivU {
		rest = &syntax.Ident{Obj: &syntax.Object{Name: b.localName("rest"), Kind: syntax.Reg, Width: w}}
		locals = []*syntax.Object{rest.Obj}
	}
	k.N = w
	next := func(of syntax.Expr) syntax.Expr {
		return &syntax.Part{Obj: of.(*syntax.Ident).Obj, Elem: k.Times(-1).Plus(syntax.Affine{Const: w - 1}), Size: 1, Width: 1}
	}
	x, y := &syntax.Ident{Obj: b.vector(e.Args[0])}, &syntax.Ident{Obj: b.vector(e.Args[1])}
	appended := &syntax.Concat{Parts: []syntax.Expr{rest, next(x)}}
	var fits syntax.Expr = &syntax.Binary{Op: ">=", X: appended, Y: &syntax.Concat{Parts: []syntax.Expr{syntax.Zeros(1), y}}}
	var step []syntax.Stmt
	if e.Op == ir.DivU {
		step = append(step, &syntax.SetStmt{Lhs: next(d), Rhs: fits})
		fits = next(d)
	}
	longer := &syntax.Concat{Parts: []syntax.Expr{syntax.SelectBits(rest, 0, w-1), next(x)}}
	taken := &syntax.Ternary{Cond: fits, Yes: y, No: syntax.Zeros(w)}
	step = append(step, &syntax.SetStmt{Lhs: rest, Rhs: &syntax.Binary{Op: "-", X: longer, Y: taken}})
	return []syntax.Stmt{&syntax.SetStmt{Lhs: rest, Rhs: syntax.Zeros(w)}, &syntax.ForStmt{Var: k, Body: step}}, locals
}
