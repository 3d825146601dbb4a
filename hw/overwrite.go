package hw

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// overwritten reports each Set in m that can never take effect, because later
// ones always replace it. A default before conditions that leave no case out is
// not among them: it is good style.
func (el *elaboration) overwritten(m *ir.Module) {
	m.Body.Walk(func(s *ir.Scope) {
		overwrittenIn(s.Stmts, &later{}, func(a, by *ir.Assign) {
			el.errs.add(newError(a.Pos, "overwrite", m.Name, "this Set of %q never takes effect: the one at %s always replaces it", a.LHS.Sig.Name, by.Pos))
		})
	})
}

// overwrittenIn reports the assignments of a block, behind which those of after
// are executed.
func overwrittenIn(block []ir.Stmt, after *later, report func(a, by *ir.Assign)) {
	after = &later{up: after, sets: map[part]*ir.Assign{}}
	for _, s := range slices.Backward(block) {
		for _, inner := range s.Blocks() {
			overwrittenIn(inner, after, report)
		}
		if a, ok := s.(*ir.Assign); ok {
			if by := after.replacing(a.LHS); by != nil {
				report(a, by)
			}
			after.sets[partOf(a.LHS)] = a
		}
	}
}

// part is what an assignment writes: a signal, an element of it, or the element
// that an expression selects.
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

// later are the assignments that are executed whenever, and after, what stands
// at some place of a block is; up are those behind the block.
type later struct {
	up   *later
	sets map[part]*ir.Assign
}

// of is the next assignment of exactly p, or nil.
func (l *later) of(p part) *ir.Assign {
	for ; l != nil; l = l.up {
		if a := l.sets[p]; a != nil {
			return a
		}
	}
	return nil
}

// replacing is an assignment that leaves nothing of what one of lhs did, the
// last of several if only all of them do; or nil.
func (l *later) replacing(lhs ir.LValue) *ir.Assign {
	for _, p := range []part{partOf(lhs), {sig: lhs.Sig}} {
		if a := l.of(p); a != nil {
			return a
		}
	}
	if lhs.Part {
		return nil
	}
	var last *ir.Assign
	for k := range lhs.Sig.Type.Len {
		if last = l.of(element(lhs.Sig, k)); last == nil {
			return nil
		}
	}
	return last
}
