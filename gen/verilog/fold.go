package verilog

import (
	"math/big"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// fold is the value of a scalar operator on constants, or nil.
func fold(e *ir.Expr) *ir.Expr {
	if len(e.Args) == 0 || e.Type.IsVec() {
		return nil
	}
	for _, a := range e.Args {
		if a.Op != ir.Const {
			return nil
		}
	}
	x := toBig(e.Args[0])
	var y *big.Int
	if len(e.Args) > 1 {
		y = toBig(e.Args[1])
	}
	if v := evaluate(e, x, y); v != nil {
		return fromBig(e, v)
	}
	return nil
}

// evaluate computes the operators that a parametrised description may apply to
// constants; the others are left to the tools.
func evaluate(e *ir.Expr, x, y *big.Int) *big.Int {
	truth := func(b bool) *big.Int {
		if b {
			return big.NewInt(1)
		}
		return new(big.Int)
	}
	w := e.Args[0].Type.Width
	z := new(big.Int)
	switch e.Op {
	case ir.Not:
		return z.Not(x)
	case ir.RedAnd:
		return truth(isOnes(e.Args[0]))
	case ir.Add:
		return z.Add(x, y)
	case ir.Sub:
		return z.Sub(x, y)
	case ir.Mul:
		return z.Mul(x, y)
	case ir.DivU:
		if y.Sign() == 0 {
			return big.NewInt(-1)
		}
		return z.Quo(x, y)
	case ir.ModU:
		if y.Sign() == 0 {
			return x
		}
		return z.Rem(x, y)
	case ir.And:
		return z.And(x, y)
	case ir.Or:
		return z.Or(x, y)
	case ir.Xor:
		return z.Xor(x, y)
	case ir.Eq:
		return truth(x.Cmp(y) == 0)
	case ir.Ne:
		return truth(x.Cmp(y) != 0)
	case ir.LtU:
		return truth(x.Cmp(y) < 0)
	case ir.LeU:
		return truth(x.Cmp(y) <= 0)
	case ir.LtS:
		return truth(toSigned(x, w).Cmp(toSigned(y, w)) < 0)
	case ir.Shl:
		if y.Cmp(big.NewInt(int64(w))) >= 0 {
			return z
		}
		return z.Lsh(x, uint(y.Uint64()))
	case ir.ShrU:
		if y.Cmp(big.NewInt(int64(w))) >= 0 {
			return z
		}
		return z.Rsh(x, uint(y.Uint64()))
	case ir.Slice:
		return z.Rsh(x, uint(e.Lo))
	case ir.ZExt:
		return x
	case ir.SExt:
		return toSigned(x, w)
	}
	return nil
}

func toSigned(x *big.Int, w int) *big.Int {
	if x.Bit(w-1) == 0 {
		return x
	}
	return new(big.Int).Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(w)))
}

func toBig(e *ir.Expr) *big.Int {
	v := new(big.Int)
	for i := len(e.Val) - 1; i >= 0; i-- {
		v.Lsh(v, 64)
		v.Or(v, new(big.Int).SetUint64(e.Val[i]))
	}
	return v
}

// fromBig is v modulo 2^width as a constant of e's type.
func fromBig(e *ir.Expr, v *big.Int) *ir.Expr {
	one := big.NewInt(1)
	mask := new(big.Int).Sub(new(big.Int).Lsh(one, uint(e.Type.Width)), one)
	v = new(big.Int).And(v, mask)
	val := make([]uint64, ir.Words(e.Type.Width))
	for i := range val {
		val[i] = new(big.Int).And(new(big.Int).Rsh(v, uint(64*i)), new(big.Int).SetUint64(^uint64(0))).Uint64()
	}
	return constant(e, e.Type.Width, val)
}

func constant(from *ir.Expr, width int, val []uint64) *ir.Expr {
	return &ir.Expr{Op: ir.Const, Type: ir.Type{Width: width}, Val: val, Pos: from.Pos}
}

// zero is 0 in e's type.
func zero(e *ir.Expr) *ir.Expr {
	return constant(e, e.Type.Width, make([]uint64, ir.Words(e.Type.Width)))
}

// allOnes is the number of e's type with all bits set.
func allOnes(e *ir.Expr) *ir.Expr { return fromBig(e, big.NewInt(-1)) }

func isZero(e *ir.Expr) bool {
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

func isOnes(e *ir.Expr) bool {
	return e.Op == ir.Const && equalWords(e.Val, allOnes(e).Val)
}

func equalWords(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func concatWords(hi, lo *ir.Expr) []uint64 {
	v := toBig(hi)
	v.Lsh(v, uint(lo.Type.Width))
	v.Or(v, toBig(lo))
	t := &ir.Expr{Type: ir.Type{Width: hi.Type.Width + lo.Type.Width}}
	return fromBig(t, v).Val
}
