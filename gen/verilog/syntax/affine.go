package syntax

// Affine is konst + the sum of mul*v over the terms.
type Affine struct {
	Const int
	Terms []Term
}

type Term struct {
	Var *LoopVar
	Mul int
}

// Plus adds two affine functions, joining the terms of a variable.
func (a Affine) Plus(c Affine) Affine {
	out := Affine{Const: a.Const + c.Const}
	for _, t := range append(append([]Term(nil), a.Terms...), c.Terms...) {
		found := false
		for i := range out.Terms {
			if out.Terms[i].Var == t.Var {
				out.Terms[i].Mul += t.Mul
				found = true
			}
		}
		if !found {
			out.Terms = append(out.Terms, t)
		}
	}
	kept := out.Terms[:0]
	for _, t := range out.Terms {
		if t.Mul != 0 {
			kept = append(kept, t)
		}
	}
	out.Terms = kept
	return out
}

func (a Affine) Times(n int) Affine {
	out := Affine{Const: a.Const * n}
	for _, t := range a.Terms {
		out.Terms = append(out.Terms, Term{t.Var, t.Mul * n})
	}
	return out
}

// LoopVarWidth is the width of loop variables.
const LoopVarWidth = 32
