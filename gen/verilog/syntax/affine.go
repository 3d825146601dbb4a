package syntax

import "slices"

// Affine is a linear function of loop variables: Const + the sum of the terms, which are of
// different variables, with factors other than 0.
type Affine struct {
	Const int
	Terms []Term
}

// Term is Mul times Var.
type Term struct {
	Var *LoopVar
	Mul int
}

// Plus returns a+c.
func (a Affine) Plus(c Affine) Affine {
	out := Affine{Const: a.Const + c.Const, Terms: slices.Clone(a.Terms)}
	for _, t := range c.Terms {
		if i := slices.IndexFunc(out.Terms, func(u Term) bool { return u.Var == t.Var }); i >= 0 {
			out.Terms[i].Mul += t.Mul
		} else {
			out.Terms = append(out.Terms, t)
		}
	}
	out.Terms = slices.DeleteFunc(out.Terms, func(t Term) bool { return t.Mul == 0 })
	return out
}

// Times returns a*n, for n other than 0.
func (a Affine) Times(n int) Affine {
	out := Affine{Const: a.Const * n}
	for _, t := range a.Terms {
		out.Terms = append(out.Terms, Term{t.Var, t.Mul * n})
	}
	return out
}
