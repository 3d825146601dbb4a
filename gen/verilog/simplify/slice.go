package simplify

import (
	"math/bits"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// slice returns width bits of x from bit lo.
func slice(from, x *ir.Expr, lo, width int) *ir.Expr {
	return rewrite(&ir.Expr{Op: ir.Slice, Type: ir.Type{Width: width}, Args: []*ir.Expr{x}, Lo: lo, Pos: from.Pos})
}

// rewriteSlice looks through selections, concatenations and extensions.
func rewriteSlice(e *ir.Expr) *ir.Expr {
	x, w := e.Args[0], e.Type.Width
	if w == x.Type.Width {
		return x
	}
	switch x.Op {
	case ir.Slice:
		return slice(e, x.Args[0], x.Lo+e.Lo, w)
	case ir.ShrU: // the bit that an index selects
		if v, a := x.Args[0], x.Args[1]; w == 1 && e.Lo == 0 && !MayExceed(v.Type.Width, a) {
			bits := &ir.Expr{Op: ir.Unpack, Type: ir.Type{Width: 1, Len: v.Type.Width}, Args: []*ir.Expr{v}, Pos: e.Pos}
			return Node(e, ir.Elem, 1, bits, a)
		}
	case ir.LoopConst: // of which high bits are never set
		if _, greatest := x.Index.Range(); bits.Len(uint(greatest)) <= e.Lo {
			return zero(e)
		}
	case ir.Concat:
		return sliceConcat(e)
	case ir.ZExt, ir.SExt:
		return sliceExtension(e)
	case ir.Pack:
		v := x.Args[0]
		if n := v.Type.Width; v.Op == ir.VecOf && e.Lo/n == (e.Lo+w-1)/n {
			return slice(e, v.Args[e.Lo/n], e.Lo%n, w)
		}
	}
	return e
}

// sliceConcat keeps only the operands that the slice touches.
func sliceConcat(e *ir.Expr) *ir.Expr {
	x := e.Args[0]
	var parts []*ir.Expr
	at := x.Type.Width
	for _, p := range x.Args {
		at -= p.Type.Width
		lo, hi := max(e.Lo, at), min(e.Lo+e.Type.Width, at+p.Type.Width)
		if lo < hi {
			parts = append(parts, slice(e, p, lo-at, hi-lo))
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return Node(e, ir.Concat, e.Type.Width, parts...)
}

// sliceExtension keeps only the operand, the zeros or the signs that the slice touches.
func sliceExtension(e *ir.Expr) *ir.Expr {
	ext := e.Args[0]
	x := ext.Args[0]
	have, hi := x.Type.Width, e.Lo+e.Type.Width
	switch {
	case hi <= have:
		return slice(e, x, e.Lo, e.Type.Width)
	case ext.Op == ir.ZExt && e.Lo >= have:
		return zero(e)
	case e.Lo < have:
		return Node(e, ext.Op, e.Type.Width, slice(e, x, e.Lo, have-e.Lo))
	}
	return Node(e, ir.SExt, e.Type.Width, slice(e, x, have-1, 1))
}
