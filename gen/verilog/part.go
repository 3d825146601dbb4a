package verilog

import (
	"math/bits"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// part is e as a signal or a part of one. Other expressions get a name first.
func (b *builder) part(e *ir.Expr) expr {
	if o := b.named[e]; o != nil {
		return &ident{o}
	}
	switch e.Op {
	case ir.Pack, ir.Unpack:
		return b.part(e.Args[0])
	case ir.Ref:
		return &ident{b.objs[e.Sig]}
	case ir.Slice, ir.ElemAt:
		return b.fixedPart(e)
	case ir.LoopConst:
		if e.Type.Width <= loopVarWidth {
			return b.loopConst(e)
		}
	case ir.Elem:
		if !mayExceed(e.Args[0].Type.Len, e.Args[1]) {
			return b.elem(e)
		}
	}
	return &ident{b.name(e)}
}

// fixedPart is a slice or an element at a fixed index. In an always block, what
// is part of a vector that depends on itself stands outside: the block would
// run whenever any element changes, and two such blocks would start each other
// for ever.
func (b *builder) fixedPart(e *ir.Expr) expr {
	where := b.where
	b.where = continuous
	var x expr
	if e.Op == ir.Slice {
		x = selectBits(b.sliced(e), e.Lo, e.Type.Width)
	} else {
		x = b.element(e)
	}
	b.where = where
	if p, ok := x.(*part); ok && p.obj.split && where == sensitive {
		return &ident{b.name(e)}
	}
	return x
}

// element is an element at a fixed index.
func (b *builder) element(e *ir.Expr) expr {
	v, w := e.Args[0], e.Type.Width
	p := b.part(v)
	if v.Type.Len == 1 {
		return p
	}
	index := b.affine(e.Index)
	switch p := p.(type) {
	case *ident:
		return &part{obj: p.obj, elem: index, size: w, width: w}
	case *part:
		if p.lo%w == 0 && p.size%w == 0 {
			at := p.elem.times(p.size / w).plus(index)
			at.konst += p.lo / w
			return &part{obj: p.obj, elem: at, size: w, width: w}
		}
	case *dynPart:
		if len(index.terms) == 0 {
			return selectBits(p, index.konst*w, w)
		}
	}
	return &part{obj: b.name(v), elem: index, size: w, width: w}
}

// vector is v as a whole object that may be indexed by any value. Verilator
// cannot split what is, and a constant would not start an always block.
func (b *builder) vector(v *ir.Expr) *object {
	id, ok := b.part(v).(*ident)
	switch {
	case ok && (id.obj.split || id.obj.kind == paramObject):
		return b.wire(v, strings.ToLower(id.obj.name)+"_all", id)
	case ok:
		return id.obj
	}
	return b.name(v)
}

// elem is a dynamically selected element, without regard to the length.
func (b *builder) elem(e *ir.Expr) expr {
	w := e.Type.Width
	return &dynPart{obj: b.vector(e.Args[0]), index: b.index(e.Args[1]), size: w, width: w}
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

// mayExceed tells whether an index can be n or more.
func mayExceed(n int, index *ir.Expr) bool {
	if _, fixed := fixedIndex(index, n); fixed {
		return false
	}
	w := index.Type.Width
	return w >= 31 || n < 1<<w
}

// inRange is the condition index < n.
func (b *builder) inRange(index *ir.Expr, n int) expr {
	if n == 1 && index.Type.Width == 1 {
		return &unary{"!", b.simple(index)}
	}
	return &binary{"<", b.simple(index), &number{width: index.Type.Width, val: []uint64{uint64(n)}, count: true}}
}

func (b *builder) affine(a ir.Affine) affine {
	out := affine{konst: a.Const}
	for _, t := range a.Terms {
		out = out.plus(affine{terms: []affineTerm{{b.vars[t.Loop], t.Mul}}})
	}
	return out
}

// numberWidth is the width of the widest number in a.
func numberWidth(a affine) int {
	w := bits.Len(uint(a.konst))
	for _, t := range a.terms {
		w = max(w, bits.Len(uint(max(t.mul, -t.mul))))
	}
	return w
}

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
