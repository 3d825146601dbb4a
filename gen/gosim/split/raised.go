package split

import (
	"math/bits"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// raised is x<<zeros>>by. Slices of it are often slices of shorter shifts.
type raised struct {
	x, by        []netlist.Net
	zeros, width int
}

// zeroBits returns the number of low bits of a Concat that are known to be zero.
func (s *splitter) zeroBits(o *netlist.Op, args [][]netlist.Net) int {
	last := len(args) - 1
	if slices.ContainsFunc(args[last], func(n netlist.Net) bool { return !s.is(n, 0) }) {
		return 0
	}
	return int(s.in.Width[o.Args[last]])
}

// raise records the operand of o, a shift to the right, if the low bits of the operand are zero.
func (s *splitter) raise(o *netlist.Op, x, by []netlist.Net, width int) {
	if zeros := s.zeros[o.Args[0]]; zeros > 0 {
		s.raised[o.Out] = &raised{s.slices(x, zeros, width-zeros), by, zeros, width}
	}
}

// cut returns width bits from bit lo on of r, if shorter words can compute them. Bits from bit
// zeros on are bits of x>>by. Lower bits are bits of x<<(zeros-by), unless by may exceed zeros.
func (s *splitter) cut(r *raised, lo, width int) ([]netlist.Net, bool) {
	total, above := s.total(r.by), s.total(r.x)
	low := shifted(max(above, lo+width))
	switch {
	case lo >= r.zeros && shifted(above) < shifted(r.width):
		return s.slices(s.shift(ir.ShrU, r.x, r.by, above), lo-r.zeros, width), true
	case low < shifted(r.width) && total < word && 1<<total-1 <= r.zeros:
		x := s.extend(r.x, above, low, s.zero())
		return s.slices(s.shift(ir.Shl, x, []netlist.Net{s.left(r.zeros, r.by[0])}, low), lo, width), true
	}
	return nil, false
}

// left returns zeros-by, which is not negative.
func (s *splitter) left(zeros int, by netlist.Net) netlist.Net {
	if uint64(zeros) == ones(s.width(by)) {
		return s.not(by)
	}
	size := bits.Len(uint(zeros))
	return s.do(ir.Sub, size, s.k(size, uint64(zeros)), s.extended(by, size))
}

// shifted returns the number of bits of the words in which vectors shift values of a width. Vectors
// have no shifts of bytes.
func shifted(width int) int { return max(16, size(width)) }
