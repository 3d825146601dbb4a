package hw

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// overwritten reports each Set in m that can never take effect, because later ones always replace
// it. It does not report a default before conditions that cover all cases, which is good style.
func (el *elaboration) overwritten(m *ir.Module) {
	m.Body.Walk(func(s *ir.Scope) {
		overwrittenIn(s.Stmts, &later{}, func(a, by *ir.Assign) {
			el.mistake(m, a.Pos, "overwrite", "this Set of %q never takes effect: the one at %s always replaces it", a.LHS.Sig.Name, by.Pos)
		})
	})
}

// overwrittenIn reports the assignments of a block. after contains the assignments that follow the
// block.
func overwrittenIn(block []ir.Stmt, after *later, report func(a, by *ir.Assign)) {
	after = &later{up: after, sets: map[part][]*ir.Assign{}}
	for _, s := range slices.Backward(block) {
		for _, inner := range s.Blocks() {
			overwrittenIn(inner, after, report)
		}
		if a, ok := s.(*ir.Assign); ok {
			if by := after.replacing(a.LHS); by != nil {
				report(a, by)
			}
			p := partOf(a.LHS)
			after.sets[p] = append(after.sets[p], a)
		}
	}
}

// part is the target of an assignment: a signal, one of its elements, or the element that an
// expression selects. The assignment writes all bits of it or some.
type part struct {
	sig   *ir.Signal
	index string
	dyn   *ir.Expr
}

func partOf(l ir.LValue) part {
	switch {
	case l.Part:
		return part{sig: l.Sig, index: l.Index.String()}
	case l.Dyn != nil && l.Dyn.Op == ir.Const:
		return element(l.Sig, int(l.Dyn.Uint()))
	}
	return part{sig: l.Sig, dyn: l.Dyn}
}

func element(s *ir.Signal, k int) part { return part{sig: s, index: ir.Affine{Const: k}.String()} }

// later contains the assignments of a block that always execute after a given position, the last
// first. up contains the assignments that follow the block.
type later struct {
	up   *later
	sets map[part][]*ir.Assign
}

// of returns the nearest of the subsequent assignments to p that together overwrite all bits from
// lo to hi, or nil.
func (l *later) of(p part, lo, hi int) *ir.Assign {
	left := []bitSpan{{lo, hi}}
	for ; l != nil; l = l.up {
		for _, a := range slices.Backward(l.sets[p]) {
			if left = without(left, bitsOf(a.LHS)); len(left) == 0 {
				return a
			}
		}
	}
	return nil
}

// bitSpan is the range of bits from lo to hi-1.
type bitSpan struct{ lo, hi int }

func bitsOf(l ir.LValue) bitSpan {
	if l.Bits == 0 {
		return bitSpan{0, l.Sig.Type.Width}
	}
	return bitSpan{l.Lo, l.Lo + l.Bits}
}

// without returns the spans without the bits of s.
func without(spans []bitSpan, s bitSpan) (out []bitSpan) {
	for _, x := range spans {
		if below := (bitSpan{x.lo, min(x.hi, s.lo)}); below.lo < below.hi {
			out = append(out, below)
		}
		if above := (bitSpan{max(x.lo, s.hi), x.hi}); above.lo < above.hi {
			out = append(out, above)
		}
	}
	return out
}

// replacing returns an assignment that completely overwrites an assignment to lhs, or nil. If only
// several assignments together do, it returns the last of them in the order of the search.
func (l *later) replacing(lhs ir.LValue) *ir.Assign {
	at := bitsOf(lhs)
	for _, p := range []part{partOf(lhs), {sig: lhs.Sig}} {
		if a := l.of(p, at.lo, at.hi); a != nil {
			return a
		}
	}
	if lhs.Part {
		return nil
	}
	var last *ir.Assign
	for k := range lhs.Sig.Type.Len {
		if last = l.of(element(lhs.Sig, k), at.lo, at.hi); last == nil {
			return nil
		}
	}
	return last
}
