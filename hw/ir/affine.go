package ir

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Affine is a linear function of loop variables: Const plus the sum of Terms. The terms belong to
// different nested loops, outermost first, with nonzero factors.
type Affine struct {
	Const int
	Terms []Term
}

// Term is Mul times the loop variable of Loop.
type Term struct {
	Loop *For
	Mul  int
}

// Plus returns a+b. Their loops must nest.
func (a Affine) Plus(b Affine) Affine {
	out := Affine{Const: a.Const + b.Const, Terms: slices.Clone(a.Terms)}
	for _, t := range b.Terms {
		i := slices.IndexFunc(out.Terms, func(u Term) bool { return u.Loop.Body.Inside(t.Loop.Body) })
		switch {
		case i < 0:
			out.Terms = append(out.Terms, t)
		case out.Terms[i].Loop == t.Loop:
			out.Terms[i].Mul += t.Mul
		default:
			out.Terms = slices.Insert(out.Terms, i, t)
		}
	}
	out.Terms = slices.DeleteFunc(out.Terms, func(t Term) bool { return t.Mul == 0 })
	return out
}

// Times returns a*n.
func (a Affine) Times(n int) Affine {
	out := Affine{Const: a.Const * n}
	for _, t := range a.Terms {
		if n != 0 {
			out.Terms = append(out.Terms, Term{t.Loop, t.Mul * n})
		}
	}
	return out
}

// Range returns the minimum and the maximum of a.
func (a Affine) Range() (lo, hi int) {
	lo, hi = a.Const, a.Const
	for _, t := range a.Terms {
		d := t.Mul * (t.Loop.N - 1)
		lo += min(0, d)
		hi += max(0, d)
	}
	return lo, hi
}

// At evaluates a for the loop variables that env returns.
func (a Affine) At(env func(*For) int) int {
	v := a.Const
	for _, t := range a.Terms {
		v += t.Mul * env(t.Loop)
	}
	return v
}

// String returns the text form of a, for example 3, lane or lane*2-1.
func (a Affine) String() string {
	var b strings.Builder
	for i, t := range a.Terms {
		if i > 0 {
			b.WriteByte('+')
		}
		b.WriteString(t.Loop.Name)
		if t.Mul != 1 {
			fmt.Fprintf(&b, "*%d", t.Mul)
		}
	}
	switch {
	case len(a.Terms) == 0:
		return strconv.Itoa(a.Const)
	case a.Const != 0:
		fmt.Fprintf(&b, "%+d", a.Const)
	}
	return b.String()
}

// scope returns the innermost loop body that a depends on, or nil.
func (a Affine) scope() *Scope {
	if len(a.Terms) == 0 {
		return nil
	}
	return a.Terms[len(a.Terms)-1].Loop.Body
}

// problem describes what is wrong with a as an index from lo to hi, or returns "".
func (a Affine) problem(lo, hi int) string {
	for i, t := range a.Terms {
		if t.Loop == nil || t.Mul == 0 {
			return "a term without a loop variable"
		}
		if i > 0 && (t.Loop == a.Terms[i-1].Loop || !t.Loop.Body.Inside(a.Terms[i-1].Loop.Body)) {
			return "the terms are not of nested loops, outermost first"
		}
	}
	if l, h := a.Range(); l < lo || h > hi {
		return fmt.Sprintf("%d to %d is beyond %d to %d", l, h, lo, hi)
	}
	return ""
}
