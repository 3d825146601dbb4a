package verilog

import "github.com/hotline-rtl/hotline/hw/ir"

// lvalue is the left side of an assignment.
func (b *builder) lvalue(l ir.LValue) expr {
	if l.Bits > 0 {
		all := l
		all.Bits = 0
		return selectBits(b.lvalue(all), l.Lo, l.Bits)
	}
	o := b.objs[l.Sig]
	n, w := l.Sig.Type.Len, l.Sig.Type.Width
	switch {
	case n == 1 || !l.Part && l.Dyn == nil:
		return &ident{o}
	case l.Dyn != nil:
		return b.chosen(o, n, w, l.Dyn)
	}
	return &part{obj: o, elem: b.affine(l.Index), size: w, width: w}
}

// chosen is the element of o, n elements of size bits, that index chooses.
func (b *builder) chosen(o *object, n, size int, index *ir.Expr) expr {
	if a, fixed := fixedIndex(index, n); fixed {
		return &part{obj: o, elem: b.affine(a), size: size, width: size}
	}
	return &dynPart{obj: o, index: b.index(index), size: size, width: size}
}

// index is e as an index or address. Arithmetic gets a name first: Icarus
// computes an index in more bits than the operands have, so that it would not
// wrap.
func (b *builder) index(e *ir.Expr) expr {
	switch x := b.expr(e).(type) {
	case *unary, *binary, *ternary:
		return b.simple(e)
	default:
		return x
	}
}

// elem is a dynamically selected element, without regard to the length.
func (b *builder) elem(e *ir.Expr) expr {
	w := e.Type.Width
	return &dynPart{obj: b.vector(e.Args[0]), index: b.index(e.Args[1]), size: w, width: w}
}

// inRange is the condition index < n.
func (b *builder) inRange(index *ir.Expr, n int) expr {
	if n == 1 && index.Type.Width == 1 {
		return &unary{"!", b.simple(index)}
	}
	return &binary{"<", b.simple(index), &number{width: index.Type.Width, val: []uint64{uint64(n)}, count: true}}
}

// guarded makes list conditional on index < n where it may not hold.
func (b *builder) guarded(index *ir.Expr, n int, list ...stmt) []stmt {
	if mayExceed(n, index) {
		return []stmt{&ifStmt{cond: b.inRange(index, n), then: list}}
	}
	return list
}

func (b *builder) affine(a ir.Affine) affine {
	out := affine{konst: a.Const}
	for _, t := range a.Terms {
		out = out.plus(affine{terms: []affineTerm{{b.vars[t.Loop], t.Mul}}})
	}
	return out
}
