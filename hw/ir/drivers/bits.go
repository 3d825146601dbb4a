package drivers

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// borders returns the piece boundaries of each signal of m that has bitwise assignments. All bits
// between two boundaries are assigned together.
func borders(m *ir.Module) map[*ir.Signal][]int {
	out := map[*ir.Signal][]int{}
	m.Body.Walk(func(s *ir.Scope) {
		ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
			if a, ok := st.(*ir.Assign); ok && a.LHS.Bits > 0 {
				g := a.LHS.Sig
				out[g] = append(out[g], 0, a.LHS.Lo, a.LHS.Lo+a.LHS.Bits, g.Type.Width)
			}
		})
	})
	for g, at := range out {
		slices.Sort(at)
		out[g] = slices.Compact(at)
	}
	return out
}

// piece is a target with its LValue.
type piece struct {
	target
	lhs ir.LValue
}

// pieces returns the targets that an assignment to lhs drives.
func (l *lowering) pieces(lhs ir.LValue) []piece {
	if l.whole[lhs.Sig] && lhs.Sig.Type.IsVec() {
		return []piece{{target{sig: lhs.Sig}, ir.LValue{Sig: lhs.Sig}}}
	}
	t, at := target{sig: lhs.Sig}, l.borders[lhs.Sig]
	if lhs.Part {
		t.elem = lhs.Index.String()
	}
	if len(at) <= 2 {
		lhs.Bits = 0
		return []piece{{t, lhs}}
	}
	lo, hi := 0, lhs.Sig.Type.Width
	if lhs.Bits > 0 {
		lo, hi = lhs.Lo, lhs.Lo+lhs.Bits
	}
	var out []piece
	for i, from := range at[:len(at)-1] {
		if from >= lo && from < hi {
			t.lo, lhs.Lo, lhs.Bits = from, from, at[i+1]-from
			out = append(out, piece{t, lhs})
		}
	}
	return out
}

// cut returns width bits of e from bit lo on.
func cut(e *ir.Expr, lo, width int) *ir.Expr {
	if width == e.Type.Width {
		return e
	}
	return &ir.Expr{Op: ir.Slice, Type: ir.Type{Width: width}, Args: []*ir.Expr{e}, Lo: lo, Pos: e.Pos}
}

// splice returns old with the bits that lhs names replaced by x.
func splice(old, x *ir.Expr, lhs ir.LValue) *ir.Expr {
	if lhs.Bits == 0 {
		return x
	}
	var parts []*ir.Expr
	if above := old.Type.Width - lhs.Lo - lhs.Bits; above > 0 {
		parts = append(parts, cut(old, lhs.Lo+lhs.Bits, above))
	}
	parts = append(parts, x)
	if lhs.Lo > 0 {
		parts = append(parts, cut(old, 0, lhs.Lo))
	}
	return concat(parts, old.Type, x.Pos)
}

// concat joins parts, the first most significant.
func concat(parts []*ir.Expr, t ir.Type, pos ir.Pos) *ir.Expr {
	if len(parts) == 1 {
		return parts[0]
	}
	return &ir.Expr{Op: ir.Concat, Type: t, Args: parts, Pos: pos}
}

// whole merges the drives of all pieces of a signal or element into one. ds are sorted, the least
// significant first. If they do not cover all bits, whole returns ds unchanged.
func whole(ds []*Drive) []*Drive {
	lhs := ds[0].LHS
	var parts []*ir.Expr
	bits := 0
	for _, d := range ds {
		bits += d.LHS.Bits
		parts = append(parts, d.Value)
	}
	if lhs.Bits == 0 || bits < lhs.Sig.Type.Width {
		return ds
	}
	slices.Reverse(parts)
	d := *ds[0]
	d.LHS.Lo, d.LHS.Bits = 0, 0
	if d.Value = uncut(parts); d.Value == nil {
		d.Value = concat(parts, lhs.Sig.Type.Elem(), d.Pos)
	}
	return []*Drive{&d}
}

// uncut returns the expression of which parts are all bits, or nil.
func uncut(parts []*ir.Expr) *ir.Expr {
	all, hi := parts[0].Args, 0
	for _, p := range parts {
		if p.Op != ir.Slice || p.Args[0] != all[0] {
			return nil
		}
		hi += p.Type.Width
	}
	for _, p := range parts {
		if hi -= p.Type.Width; p.Lo != hi {
			return nil
		}
	}
	if last := parts[0]; last.Lo+last.Type.Width < all[0].Type.Width {
		return nil
	}
	return all[0]
}
