package build

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// lvalue translates the left side of an assignment.
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

// chosen returns the element that index selects in o, which has n elements of size bits.
func (b *builder) chosen(o *syntax.Object, n, size int, index *ir.Expr) syntax.Expr {
	if a, fixed := simplify.FixedIndex(index, n); fixed {
		return &syntax.Part{Obj: o, Elem: b.affine(a), Size: size, Width: size}
	}
	return &syntax.DynPart{Obj: o, Index: b.index(index), Size: size, Width: size}
}

// guarded makes list conditional on index < n if that may not hold.
func (b *builder) guarded(index *ir.Expr, n int, list ...syntax.Stmt) []syntax.Stmt {
	if simplify.MayExceed(n, index) {
		return []syntax.Stmt{&syntax.IfStmt{Cond: b.inRange(index, n), Then: list}}
	}
	return list
}
