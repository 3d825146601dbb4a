package simplify

import (
	"math/big"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// rewriteSum leaves out a 0.
func rewriteSum(e *ir.Expr) *ir.Expr {
	switch x, y := e.Args[0], e.Args[1]; {
	case e.Type.IsVec():
	case IsZero(y):
		return x
	case IsZero(x) && e.Op != ir.Sub:
		return y
	}
	return e
}

// rewriteShift resolves shifts by nothing and by all bits.
func rewriteShift(e *ir.Expr) *ir.Expr {
	x, a, w := e.Args[0], e.Args[1], e.Type.Width
	switch {
	case IsZero(a) || IsZero(x) || e.Op == ir.ShrS && w == 1:
		return x
	case Decodes(e) && w == 1:
		return Node(e, ir.Eq, 1, a, zero(a))
	case a.Op != ir.Const && a.Type.Width > maxAmount && e.Op == ir.ShrS:
		return saturated(e, Node(e, ir.SExt, w, slice(e, x, w-1, 1)))
	case a.Op != ir.Const && a.Type.Width > maxAmount:
		return saturated(e, zero(e))
	case a.Op != ir.Const || toBig(a).Cmp(big.NewInt(int64(w))) < 0:
		return e
	case e.Op == ir.ShrS:
		return Node(e, ir.SExt, w, slice(e, x, w-1, 1))
	}
	return zero(e)
}

// maxAmount is the greatest width of a shift amount that Verilator handles. It refuses a known
// amount of more than 32 bits, and computes the place where a bit ends up in 32 bits, which
// wrap.
const maxAmount = 30

// saturated replaces the amount of a shift, which is too wide, by its low bits. If one of the
// high bits is set, the result is beyond.
func saturated(e *ir.Expr, beyond *ir.Expr) *ir.Expr {
	x, a, low := e.Args[0], e.Args[1], ir.CountWidth(e.Type.Width)
	n := Node(e, e.Op, e.Type.Width, x, slice(e, a, 0, low))
	return muxOf(isAny(slice(e, a, low, a.Type.Width-low)), beyond, n)
}

// isAny returns whether any bit of x is set.
func isAny(x *ir.Expr) *ir.Expr {
	none := zero(x)
	none.Hex = true
	return Node(x, ir.Ne, 1, x, none)
}

// rewriteDivision resolves a divisor of 0. A dividend of more than 64 bits gets a 0 in front:
// if it begins with a 1, Icarus Verilog 11 divides it by 1 to 0.
func rewriteDivision(e *ir.Expr) *ir.Expr {
	x, y, w := e.Args[0], e.Args[1], e.Type.Width
	switch {
	case IsZero(y) && e.Op == ir.DivU:
		return AllOnes(e)
	case IsZero(y):
		return x
	case w <= 64 || w > widestDivision || x.Op == ir.ZExt || x.Op == ir.Const && toBig(x).BitLen() < w:
		return e
	}
	return slice(e, Node(e, e.Op, w+1, Node(e, ir.ZExt, w+1, x), Node(e, ir.ZExt, w+1, y)), 0, w)
}

// widestDivision is the greatest width of the operands of / and %. With wider ones, Verilator
// 5.006 writes beyond the end of its buffers without a message (Verilator issue 6003).
const widestDivision = 512

// IsLongDivision reports whether e is too wide for / and %, so that a loop must divide.
func IsLongDivision(e *ir.Expr) bool {
	return (e.Op == ir.DivU || e.Op == ir.ModU) && e.Type.Width > widestDivision
}
