package build

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// lvalue is the left side of an assignment.
func (b *builder) lvalue(l ir.LValue) syntax.Expr {
	if l.Bits > 0 {
		all := l
		all.Bits = 0
		return syntax.SelectBits(b.lvalue(all), l.Lo, l.Bits)
	}
	o := b.objs[l.Sig]
	n, w := l.Sig.Type.Len, l.Sig.Type.Width
	switch {
	case n == 1 || !l.Part && l.Dyn == nil:
		return &syntax.Ident{Obj: o}
	case l.Dyn != nil:
		return b.chosen(o, n, w, l.Dyn)
	}
	return &syntax.Part{Obj: o, Elem: b.affine(l.Index), Size: w, Width: w}
}

// chosen is the element of o, n elements of size bits, that index chooses.
func (b *builder) chosen(o *syntax.Object, n, size int, index *ir.Expr) syntax.Expr {
	if a, fixed := simplify.FixedIndex(index, n); fixed {
		return &syntax.Part{Obj: o, Elem: b.affine(a), Size: size, Width: size}
	}
	return &syntax.DynPart{Obj: o, Index: b.index(index), Size: size, Width: size}
}

// index is e as an index or address. Arithmetic gets a name first: Icarus
// computes an index in more bits than the operands have, so that it would not
// wrap.
func (b *builder) index(e *ir.Expr) syntax.Expr {
	switch x := b.expr(e).(type) {
	case *syntax.Unary, *syntax.Binary, *syntax.Ternary:
		return b.simple(e)
	default:
		return x
	}
}

// elem is a dynamically selected element, without regard to the length.
func (b *builder) elem(e *ir.Expr) syntax.Expr {
	w := e.Type.Width
	return &syntax.DynPart{Obj: b.vector(e.Args[0]), Index: b.index(e.Args[1]), Size: w, Width: w}
}

// inRange is the condition index < n.
func (b *builder) inRange(index *ir.Expr, n int) syntax.Expr {
	if n == 1 && index.Type.Width == 1 {
		return &syntax.Unary{Op: "!", X: b.simple(index)}
	}
	return &syntax.Binary{Op: "<", X: b.simple(index), Y: &syntax.Number{Width: index.Type.Width, Val: []uint64{uint64(n)}, Count: true}}
}

// guarded makes list conditional on index < n where it may not hold.
func (b *builder) guarded(index *ir.Expr, n int, list ...syntax.Stmt) []syntax.Stmt {
	if simplify.MayExceed(n, index) {
		return []syntax.Stmt{&syntax.IfStmt{Cond: b.inRange(index, n), Then: list}}
	}
	return list
}

func (b *builder) affine(a ir.Affine) syntax.Affine {
	out := syntax.Affine{Const: a.Const}
	for _, t := range a.Terms {
		out = out.Plus(syntax.Affine{Terms: []syntax.Term{{Var: b.vars[t.Loop], Mul: t.Mul}}})
	}
	return out
}
