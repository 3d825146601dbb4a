package expr

import (
	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
)

// rearrange computes r and returns its word.
func (e *Evaluator) rearrange(v *plan.Value, r *plan.Rearrangement) *code.Expr {
	if r.Digit < 0 {
		return e.picked(v, r)
	}
	last := len(r.Muls) - 1
	x := e.spreadGroups(e.rearrange(v, r.Even), last, r.Digit)
	y := x
	if r.Odd != nil {
		y = e.spreadGroups(e.rearrange(v, r.Odd), last, r.Digit)
	}
	return e.Set(x.Or(y.Up(1 << r.Digit)))
}

// picked returns the word of a readable rearrangement.
func (e *Evaluator) picked(v *plan.Value, r *plan.Rearrangement) *code.Expr {
	n := 1 << len(r.Muls)
	first := func() *code.Expr { return storage.Lane(v, code.Int(r.Base))[0] }
	switch {
	case n == 1:
		return e.Set(first())
	case r.Muls[0] == 0:
		return e.Set(first().Neg().Low(n))
	case r.Muls[0] == 1:
		return e.Set(e.elementBits(&plan.List{V: v, N: n, Stride: 1, Base: plan.Form{Add: r.Base}})[0])
	}
	span := r.Muls[0] * n
	x := e.Set(storage.BitWord(v, code.Int(r.Base/64)).Down(r.Base % 64).And(code.Num(groups(1, r.Muls[0], min(span, 64)))))
	for size, period := 1, r.Muls[0]; size < n; size, period = 2*size, 2*period {
		x = e.Set(x.Or(x.Down(period - size)).And(code.Num(groups(2*size, 2*period, min(span, 64)))))
	}
	return x
}

// spreadGroups moves groups of 1<<digit bits of the 1<<m bits of x apart, with gaps of the same
// size.
func (e *Evaluator) spreadGroups(x *code.Expr, m, digit int) *code.Expr {
	for h := m - 1; h >= digit; h-- {
		x = e.Set(x.Or(x.Up(1 << h)).And(code.Num(groups(1<<h, 2<<h, 2<<m))))
	}
	return x
}

// groups returns a word of n bits with groups of size ones, repeated with the given period.
func groups(size, period, n int) uint64 {
	x := plan.Ones(size)
	for p := period; p < n; p *= 2 {
		x |= x << p
	}
	return x & plan.Ones(n)
}
