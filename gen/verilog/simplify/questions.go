package simplify

import (
	"math/big"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// AnyOf returns x if e is the disjunction of all bits or elements of x, written |x, and nil
// otherwise. A comparison with a decimal 0 does not count: it is about a number.
func AnyOf(e *ir.Expr) *ir.Expr {
	switch {
	case e.Op == ir.Select && isOnes(e.Args[0]):
		return e.Args[1]
	case e.Op == ir.Ne && IsZero(e.Args[1]) && isPlain(e.Args[1]) && e.Args[1].Hex:
		return e.Args[0]
	}
	return nil
}

// Decodes reports whether e is 1 << x.
func Decodes(e *ir.Expr) bool {
	return e.Op == ir.Shl && isPlain(e.Args[0]) && toBig(e.Args[0]).Cmp(big.NewInt(1)) == 0
}

// MayExceed reports whether an index can be n or more.
func MayExceed(n int, index *ir.Expr) bool {
	if _, fixed := FixedIndex(index, n); fixed {
		return false
	}
	w := index.Type.Width
	return w >= 31 || n < 1<<w
}

// FixedIndex returns i as an index of n elements that is known when the hardware is built, if
// it is.
func FixedIndex(i *ir.Expr, n int) (ir.Affine, bool) {
	switch i.Op {
	case ir.Const:
		return ir.Affine{Const: int(i.Uint())}, i.Uint() < uint64(n)
	case ir.LoopConst:
		_, hi := i.Index.Range()
		return i.Index, hi < n
	}
	return ir.Affine{}, false
}

// Uncast strips the operators that only change the type.
func Uncast(e *ir.Expr) *ir.Expr {
	for e.Op == ir.Pack || e.Op == ir.Unpack {
		e = e.Args[0]
	}
	return e
}

// Complete reports whether the cases of st cover all values.
func Complete(st *ir.Switch) bool {
	count := 0
	for _, c := range st.Cases {
		count += len(c.Values)
	}
	return st.Of.Type.Width < 31 && count == 1<<st.Of.Type.Width
}
