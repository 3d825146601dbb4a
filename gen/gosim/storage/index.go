package storage

import (
	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
)

// The variables of generated functions that have a fixed name.
var (
	Lane0  = code.Zero
	LaneL  = code.Name("l") // lane
	WordI  = code.Name("i") // word of lanes
	WordW  = code.Name("w") // 64 lanes, of words of several
	ElemK  = code.Name("k") // element of a list
	MaskM  = code.Name("m") // lanes that remain
	ValueV = code.Name("value")
)

// Elements returns the first n elements of an array.
func Elements(array *code.Expr, n int) []*code.Expr {
	out := make([]*code.Expr, n)
	for k := range out {
		out[k] = array.At(k)
	}
	return out
}

// Masked returns i as an index of an array of length n, with a mask if that avoids a bounds check.
func Masked(i *code.Expr, n int) *code.Expr {
	if _, ok := i.Number(); ok || n&(n-1) != 0 {
		return i
	}
	return i.And(code.Int(n - 1))
}

// BitNumber returns the number of a lane among the 64 lanes of a word, for a shift.
func BitNumber(i *code.Expr) *code.Expr { return code.Call("uint", i).And(code.Int(63)) }

// LaneOf returns f of the int variable l.
func LaneOf(f plan.Form, l *code.Expr) *code.Expr {
	sum := code.Zero
	for _, t := range f.Terms {
		sum = sum.Add(termOf(t, l))
	}
	if f.Add < 0 {
		return sum.Sub(code.Int(-f.Add))
	}
	return sum.Add(code.Int(f.Add))
}

func termOf(t plan.Term, l *code.Expr) *code.Expr {
	if t.Div > 1 {
		if k, ok := code.Power(t.Div); ok {
			l = l.Down(k)
		} else {
			l = code.Op("/", l, code.Int(t.Div))
		}
	}
	if t.Mod > 0 {
		if _, ok := code.Power(t.Mod); ok {
			l = l.And(code.Int(t.Mod - 1))
		} else {
			l = code.Op("%", l, code.Int(t.Mod))
		}
	}
	return Times(l, t.Mul)
}

// Times returns x multiplied by n.
func Times(x *code.Expr, n int) *code.Expr {
	if n < 0 {
		return x.Mul(code.Int(-n)).Neg()
	}
	return x.Mul(code.Int(n))
}
