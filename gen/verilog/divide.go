package verilog

import "github.com/hotline-rtl/hotline/hw/ir"

// division says what a divisor of 0 gives, where that can be.
func (b *builder) division(e *ir.Expr) expr {
	x, y := e.Args[0], e.Args[1]
	if y.Op == ir.Const {
		return &binary{operators[e.Op], b.unsigned(x, b.expr), b.expr(y)}
	}
	none := b.expr(x)
	if e.Op == ir.DivU {
		none = b.expr(allOnes(e))
	}
	by := b.unsigned(y, b.simple)
	return &ternary{&binary{"==", by, zeros(y.Type.Width)}, none, &binary{operators[e.Op], b.unsigned(x, b.expr), by}}
}

// longDivision returns the steps of a long division, and the variables that they need. Step
// k appends a bit of the dividend to the remainder, and subtracts the divisor if it can. A
// divisor of 0 can always be subtracted, which gives the results that IR defines for it.
func (b *builder) longDivision(e *ir.Expr, d *ident, k *loopVar) (body []stmt, locals []*object) {
	w, rest := e.Type.Width, d
	if e.Op == ir.DivU {
		rest = &ident{&object{name: b.localName("rest"), kind: regObject, width: w}}
		locals = []*object{rest.obj}
	}
	k.n = w
	next := func(of expr) expr {
		return &part{obj: of.(*ident).obj, elem: affine{konst: w - 1, terms: []affineTerm{{k, -1}}}, size: 1, width: 1}
	}
	x, y := &ident{b.vector(e.Args[0])}, &ident{b.vector(e.Args[1])}
	var fits expr = &binary{">=", &concat{[]expr{rest, next(x)}}, &concat{[]expr{zeros(1), y}}}
	var step []stmt
	if e.Op == ir.DivU {
		step = append(step, &setStmt{lhs: next(d), rhs: fits})
		fits = next(d)
	}
	longer := &concat{[]expr{selectBits(rest, 0, w-1), next(x)}}
	step = append(step, &setStmt{lhs: rest, rhs: &binary{"-", longer, &ternary{fits, y, zeros(w)}}})
	return []stmt{&setStmt{lhs: rest, rhs: zeros(w)}, &forStmt{k, step}}, locals
}
