package drivers

import "github.com/hotline-rtl/hotline/hw/ir"

// masked returns the whole word after a write with a mask: lanes of Data where the mask is 1, and
// elsewhere lanes of the word that results from earlier writes in the cycle.
func (l *lowering) masked(s *ir.MemWrite) *ir.Expr {
	if s.Mask == nil {
		return s.Data
	}
	word := ir.Type{Width: s.Mem.Width}
	old := &ir.Expr{Op: ir.MemRead, Type: word, Mem: s.Mem, Args: []*ir.Expr{s.Addr}, Pos: s.Pos}
	for _, w := range l.out.Writes {
		if w.Mem == s.Mem {
			same := &ir.Expr{Op: ir.Eq, Type: ir.Type{Width: 1}, Args: []*ir.Expr{w.Addr, s.Addr}, Pos: s.Pos}
			old = mux(and(w.Enable, same, s.Pos), w.Data, old, s.Pos)
		}
	}
	lanes := s.Mask.Type.Width
	size := s.Mem.Width / lanes
	out := &ir.Expr{Op: ir.Concat, Type: word, Pos: s.Pos}
	for i := lanes - 1; i >= 0; i-- {
		lane := mux(slice(s.Mask, i, 1, s.Pos), slice(s.Data, i*size, size, s.Pos), slice(old, i*size, size, s.Pos), s.Pos)
		out.Args = append(out.Args, lane)
	}
	return out
}

func slice(e *ir.Expr, lo, width int, pos ir.Pos) *ir.Expr {
	return &ir.Expr{Op: ir.Slice, Type: ir.Type{Width: width}, Args: []*ir.Expr{e}, Lo: lo, Pos: pos}
}
