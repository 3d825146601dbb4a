package split

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// nest rewrites slices that are within other slices of the same value. It takes them from the
// shortest enclosing slice if that slice has shorter words than the value. It rewrites only slices
// of computed values: registers and inputs are in memory, from which short words can be loaded
// directly. The slices of a value move to the position of the first slice, longest first.
func (s *splitter) nest() {
	computed, of := map[netlist.Net]bool{}, map[netlist.Net][]netlist.Op{}
	for _, o := range s.out.Ops {
		computed[o.Out] = true
		if o.Code == ir.Slice {
			of[o.Args[0]] = append(of[o.Args[0]], o)
		}
	}
	var ops []netlist.Op
	for _, o := range s.out.Ops {
		if o.Code != ir.Slice || !computed[o.Args[0]] {
			ops = append(ops, o)
			continue
		}
		ops = append(ops, s.nested(of[o.Args[0]])...)
		delete(of, o.Args[0])
	}
	s.out.Ops = ops
}

// nested returns slices of a value, the longest first, rewritten as nest describes.
func (s *splitter) nested(list []netlist.Op) []netlist.Op {
	width := func(o netlist.Op) int { return s.width(o.Out) }
	slices.SortStableFunc(list, func(x, y netlist.Op) int { return width(y) - width(x) })
	out := slices.Clone(list)
	for i, x := range list {
		for _, y := range slices.Backward(list[:i]) {
			if width(y) > width(x) && y.Lo <= x.Lo && int(x.Lo)+width(x) <= int(y.Lo)+width(y) {
				if size(width(y)) < size(s.width(x.Args[0])) {
					out[i].Args, out[i].Lo = []netlist.Net{y.Out}, x.Lo-y.Lo
				}
				break
			}
		}
	}
	return out
}

// size returns the number of bits of the smallest words that can hold a width.
func size(width int) int {
	for _, size := range []int{8, 16, 32} {
		if width <= size {
			return size
		}
	}
	return word * ir.Words(width)
}
