package simplify

import (
	"math/big"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// rewriteSingle simplifies operators on vectors of one element and words of one bit.
func rewriteSingle(e *ir.Expr) *ir.Expr {
	single := func(v *ir.Expr) bool { return v.Type.Len == 1 }
	switch {
	case e.Op == ir.EqLanes && single(e.Args[0]):
		return Node(e, ir.Eq, 1, elemAt(e, e.Args[0], 0), e.Args[1])
	case e.Op == ir.Select && single(e.Args[1]):
		return muxOf(e.Args[0], elemAt(e, e.Args[1], 0), zero(e))
	case e.Op == ir.Elem && single(e.Args[0]):
		return muxOf(e.Args[1], zero(e), elemAt(e, e.Args[0], 0))
	case e.Op == ir.Update && single(e):
		x := muxOf(e.Args[1], elemAt(e, e.Args[0], 0), e.Args[2])
		return &ir.Expr{Op: ir.VecOf, Type: e.Type, Args: []*ir.Expr{x}, Pos: e.Pos}
	case e.Op == ir.PopCount && e.Type.Width == 1:
		return e.Args[0]
	case e.Op == ir.Route && e.Args[1].Type.Width > maxAmount:
		return narrowRoute(e)
	case e.Op == ir.Route && single(e.Args[1]):
		one := fromBig(&ir.Expr{Type: ir.Type{Width: e.Type.Len}, Pos: e.Pos}, big.NewInt(1))
		hot := Node(e, ir.Shl, e.Type.Len, one, elemAt(e, e.Args[1], 0))
		x := muxOf(e.Args[0], hot, zero(hot))
		return rewrite(&ir.Expr{Op: ir.Unpack, Type: e.Type, Args: []*ir.Expr{x}, Pos: e.Pos})
	}
	return e
}

// rewriteElemAt takes the element from the operands of a vector.
func rewriteElemAt(e *ir.Expr) *ir.Expr {
	v := e.Args[0]
	if v.Type.Len == 1 && v.Op == ir.Unpack {
		return v.Args[0]
	}
	if len(e.Index.Terms) > 0 {
		return e
	}
	switch v.Op {
	case ir.VecOf:
		return v.Args[e.Index.Const]
	case ir.Unpack:
		return slice(e, v.Args[0], e.Index.Const*e.Type.Width, e.Type.Width)
	}
	return e
}

// elemAt returns element i of v.
func elemAt(from, v *ir.Expr, i int) *ir.Expr {
	return rewrite(&ir.Expr{Op: ir.ElemAt, Type: v.Type.Elem(), Args: []*ir.Expr{v}, Index: ir.Affine{Const: i}, Pos: from.Pos})
}

// rewritePack turns the packed list of elements into a concatenation.
func rewritePack(e *ir.Expr) *ir.Expr {
	v := e.Args[0]
	switch v.Op {
	case ir.Unpack:
		return v.Args[0]
	case ir.VecOf:
		args := make([]*ir.Expr, len(v.Args))
		for i, a := range v.Args {
			args[len(args)-1-i] = a
		}
		return Node(e, ir.Concat, e.Type.Width, args...)
	}
	return e
}

// encodePair turns Encode of at most two bits into the upper bit.
func encodePair(e *ir.Expr) *ir.Expr {
	if x := e.Args[0]; x.Type.Width == 2 {
		return slice(e, x, 1, 1)
	}
	return zero(e)
}

// rewriteUpdate lists the elements of a vector, with one of them replaced.
func rewriteUpdate(e *ir.Expr) *ir.Expr {
	v, at := e.Args[0], e.Args[1].Uint()
	if at >= uint64(e.Type.Len) {
		return v
	}
	elems := make([]*ir.Expr, e.Type.Len)
	for k := range elems {
		elems[k] = elemAt(e, v, k)
	}
	elems[at] = e.Args[2]
	return &ir.Expr{Op: ir.VecOf, Type: e.Type, Args: elems, Pos: e.Pos}
}

// narrowRoute returns a Route with only as many bits of each destination as it needs.
func narrowRoute(e *ir.Expr) *ir.Expr {
	v, low := e.Args[1], ir.CountWidth(e.Type.Len)
	none := AllOnes(&ir.Expr{Type: ir.Type{Width: low}, Pos: e.Pos})
	elems := make([]*ir.Expr, v.Type.Len)
	for i := range elems {
		x := elemAt(e, v, i)
		high := slice(e, x, low, v.Type.Width-low)
		elems[i] = muxOf(isAny(high), none, slice(e, x, 0, low))
	}
	dest := &ir.Expr{Op: ir.VecOf, Type: ir.Type{Width: low, Len: len(elems)}, Args: elems, Pos: e.Pos}
	return rewrite(&ir.Expr{Op: ir.Route, Type: e.Type, Args: []*ir.Expr{e.Args[0], dest}, Pos: e.Pos})
}

// Element returns element k of e. It looks through operators that work element by element.
func Element(e *ir.Expr, k int) *ir.Expr {
	switch e.Op {
	case ir.Mux:
		return muxOf(e.Args[0], Element(e.Args[1], k), Element(e.Args[2], k))
	case ir.And, ir.Or, ir.Xor:
		return Node(e, e.Op, e.Type.Width, Element(e.Args[0], k), Element(e.Args[1], k))
	}
	return elemAt(e, e, k)
}
