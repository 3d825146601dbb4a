package verilog

// affine is konst + the sum of mul*v over the terms.
type affine struct {
	konst int
	terms []affineTerm
}

type affineTerm struct {
	v   *loopVar
	mul int
}

// plus adds two affine functions, joining the terms of a variable.
func (a affine) plus(c affine) affine {
	out := affine{konst: a.konst + c.konst}
	for _, t := range append(append([]affineTerm(nil), a.terms...), c.terms...) {
		found := false
		for i := range out.terms {
			if out.terms[i].v == t.v {
				out.terms[i].mul += t.mul
				found = true
			}
		}
		if !found {
			out.terms = append(out.terms, t)
		}
	}
	kept := out.terms[:0]
	for _, t := range out.terms {
		if t.mul != 0 {
			kept = append(kept, t)
		}
	}
	out.terms = kept
	return out
}

func (a affine) times(n int) affine {
	out := affine{konst: a.konst * n}
	for _, t := range a.terms {
		out.terms = append(out.terms, affineTerm{t.v, t.mul * n})
	}
	return out
}

// loopVarWidth is the width of loop variables.
const loopVarWidth = 32
