package verilog

import (
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
