package simplify

import (
	"math/big"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// rewriteConstantBits resolves a comparison if a constant bit differs between the operands, and
// removes equal constant bits from their ends. It returns nil if neither applies. Verilator 5.006
// loses the mask of a bit next to a wide comparison that it finds constant late.
func rewriteConstantBits(e *ir.Expr) *ir.Expr {
	x, y := e.Args[0], e.Args[1]
	known, a := constantBits(x)
	both, b := constantBits(y)
	both.And(both, known)
	if b.Xor(a, b).And(b, both).Sign() != 0 {
		if e.Op == ir.Ne {
			return AllOnes(e)
		}
		return zero(e)
	}
	if x.Op == ir.Const || y.Op == ir.Const {
		return nil
	}
	variable := new(big.Int).AndNot(ones(x.Type.Width), both)
	lo, hi := int(variable.TrailingZeroBits()), variable.BitLen()
	if lo >= hi || hi-lo == x.Type.Width {
		return nil
	}
	return Node(e, e.Op, 1, slice(e, x, lo, hi-lo), slice(e, y, lo, hi-lo))
}

// constantBits returns a mask of the bits of e that are constant, and their values.
func constantBits(e *ir.Expr) (mask, value *big.Int) {
	mask, value = new(big.Int), new(big.Int)
	switch e.Op {
	case ir.Const:
		return ones(e.Type.Width), toBig(e)
	case ir.ZExt:
		mask, value = constantBits(e.Args[0])
		mask.Or(mask, new(big.Int).Xor(ones(e.Type.Width), ones(e.Args[0].Type.Width)))
	case ir.Concat:
		for _, p := range e.Args {
			m, v := constantBits(p)
			n := uint(p.Type.Width)
			mask.Or(mask.Lsh(mask, n), m)
			value.Or(value.Lsh(value, n), v)
		}
	}
	return mask, value
}
