package simplify

import (
	"math/big"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// toSigned returns x of w bits as a signed number.
func toSigned(x *big.Int, w int) *big.Int {
	if x.Bit(w-1) == 0 {
		return x
	}
	return new(big.Int).Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(w)))
}

// toBig returns the value of a constant.
func toBig(e *ir.Expr) *big.Int {
	v := new(big.Int)
	for i := len(e.Val) - 1; i >= 0; i-- {
		v.Lsh(v, 64)
		v.Or(v, new(big.Int).SetUint64(e.Val[i]))
	}
	return v
}

// fromBig returns v modulo 2^width as a constant of e's type.
func fromBig(e *ir.Expr, v *big.Int) *ir.Expr {
	v = new(big.Int).And(v, ones(e.Type.Width))
	val := make([]uint64, ir.Words(e.Type.Width))
	for i := range val {
		val[i] = new(big.Int).And(new(big.Int).Rsh(v, uint(64*i)), new(big.Int).SetUint64(^uint64(0))).Uint64()
	}
	return constant(e, e.Type.Width, val)
}

// ones returns 2^n - 1.
func ones(n int) *big.Int {
	one := big.NewInt(1)
	return new(big.Int).Sub(new(big.Int).Lsh(one, uint(n)), one)
}

// constant returns a constant at the position of from.
func constant(from *ir.Expr, width int, val []uint64) *ir.Expr {
	return &ir.Expr{Op: ir.Const, Type: ir.Type{Width: width}, Val: val, Pos: from.Pos}
}

// zero returns 0 in e's type.
func zero(e *ir.Expr) *ir.Expr {
	return constant(e, e.Type.Width, make([]uint64, ir.Words(e.Type.Width)))
}

// AllOnes returns the number of e's type with all bits set.
func AllOnes(e *ir.Expr) *ir.Expr { return fromBig(e, big.NewInt(-1)) }

// IsZero reports whether e is a constant 0, with or without a name.
func IsZero(e *ir.Expr) bool {
	if e.Op != ir.Const {
		return false
	}
	for _, w := range e.Val {
		if w != 0 {
			return false
		}
	}
	return true
}

// isOnes reports whether e is a constant with all bits set.
func isOnes(e *ir.Expr) bool {
	return e.Op == ir.Const && equalWords(e.Val, AllOnes(e).Val)
}

// isPlain reports whether e is a constant without a name.
func isPlain(e *ir.Expr) bool { return e.Op == ir.Const && e.Label == "" }

// equalWords reports whether two constants of one width are equal.
func equalWords(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
