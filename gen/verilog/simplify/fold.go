package simplify

import (
	"math/big"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// fold returns the value of a scalar operator on constants, nil for any other expression.
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

// evaluate computes the operators that a parametrised description applies to constants. It
// returns nil for others, which are left to tools.
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
