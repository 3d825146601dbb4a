package build

import (
	"strings"

	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// part translates e to a signal or a part of one. Other expressions get a name first.
func (b *builder) part(e *ir.Expr) syntax.Expr {
	if o := b.named[e]; o != nil {
		return &syntax.Ident{Obj: o}
	}
	switch e.Op {
	case ir.Pack, ir.Unpack:
		return b.part(e.Args[0])
	case ir.Ref:
		return &syntax.Ident{Obj: b.objs[e.Sig]}
	case ir.Slice, ir.ElemAt:
		return b.fixedPart(e)
	case ir.LoopConst:
		if e.Type.Width <= syntax.LoopVarWidth {
			return b.loopConst(e)
		}
	case ir.Elem:
		if !simplify.MayExceed(e.Args[0].Type.Len, e.Args[1]) {
			return b.elem(e)
		}
	}
	return &syntax.Ident{Obj: b.name(e)}
}

// fixedPart translates a slice, or an element at a fixed index. In an always block, a part of
// a vector that depends on itself gets a name: the block would run whenever any element
// changes, and two such blocks would start each other for ever.
func (b *builder) fixedPart(e *ir.Expr) syntax.Expr {
	where := b.where
	b.where = continuous
	var x syntax.Expr
	if e.Op == ir.Slice {
		x = syntax.SelectBits(b.sliced(e), e.Lo, e.Type.Width)
	} else {
		x = b.element(e)
	}
	b.where = where
	if p, ok := x.(*syntax.Part); ok && p.Obj.Split && where == sensitive {
		return &syntax.Ident{Obj: b.name(e)}
	}
	return x
}

// element translates an element at a fixed index.
func (b *builder) element(e *ir.Expr) syntax.Expr {
	v, w := e.Args[0], e.Type.Width
	p := b.part(v)
	if v.Type.Len == 1 {
		return p
	}
	index := b.affine(e.Index)
	switch p := p.(type) {
	case *syntax.Ident:
		return &syntax.Part{Obj: p.Obj, Elem: index, Size: w, Width: w}
	case *syntax.Part:
		if p.Lo%w == 0 && p.Size%w == 0 {
			at := p.Elem.Times(p.Size / w).Plus(index)
			at.Const += p.Lo / w
			return &syntax.Part{Obj: p.Obj, Elem: at, Size: w, Width: w}
		}
	case *syntax.DynPart:
		if len(index.Terms) == 0 {
			return syntax.SelectBits(p, index.Const*w, w)
		}
	}
	return &syntax.Part{Obj: b.name(v), Elem: index, Size: w, Width: w}
}

// vector translates v to a whole object that may be indexed by any value. It is neither split
// by Verilator, nor a constant, which would not start an always block.
func (b *builder) vector(v *ir.Expr) *syntax.Object {
	id, ok := b.part(v).(*syntax.Ident)
	switch {
	case ok && (id.Obj.Split || id.Obj.Kind == syntax.Localparam):
		return b.wire(v, strings.ToLower(id.Obj.Name)+"_all", id)
	case ok:
		return id.Obj
	}
	return b.name(v)
}

// elem translates an element at a computed index, without regard to the length.
func (b *builder) elem(e *ir.Expr) syntax.Expr {
	w := e.Type.Width
	return &syntax.DynPart{Obj: b.vector(e.Args[0]), Index: b.index(e.Args[1]), Size: w, Width: w}
}

// index translates an index or address. Arithmetic gets a name first: Icarus computes an index
// in more bits than its operands have, so that it would not wrap.
func (b *builder) index(e *ir.Expr) syntax.Expr {
	switch x := b.expr(e).(type) {
	case *syntax.Unary, *syntax.Binary, *syntax.Ternary:
		return b.simple(e)
	default:
		return x
	}
}

// inRange returns the condition index < n.
func (b *builder) inRange(index *ir.Expr, n int) syntax.Expr {
	if n == 1 && index.Type.Width == 1 {
		return &syntax.Unary{Op: "!", X: b.simple(index)}
	}
	return &syntax.Binary{Op: "<", X: b.simple(index), Y: &syntax.Number{Width: index.Type.Width, Val: []uint64{uint64(n)}, Count: true}}
}

// affine translates a function of loop variables.
func (b *builder) affine(a ir.Affine) syntax.Affine {
	out := syntax.Affine{Const: a.Const}
	for _, t := range a.Terms {
		out = out.Plus(b.vars[t.Loop].Times(t.Mul))
	}
	return out
}
