package split

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// listed returns the results of an operation on the elements of a list.
func (s *splitter) listed(o *netlist.Op, args [][]netlist.Net, width int) [][]netlist.Net {
	first, list := args[0], args[1:]
	switch o.Code {
	case ir.Elem:
		return [][]netlist.Net{s.element(first, list, width)}
	case ir.Select:
		out := s.number(width, 0)
		for i, x := range list {
			out = s.bitwise(ir.Or, [][]netlist.Net{out, s.choose(s.bit(first, i), x, s.number(width, 0))})
		}
		return [][]netlist.Net{out}
	case ir.EqLanes:
		var pieces []netlist.Net
		for _, x := range list {
			pieces = append(pieces, s.equal(first, x))
		}
		return [][]netlist.Net{s.regroup(pieces, width)}
	case ir.Update:
		out := make([][]netlist.Net, len(list)-1)
		for i, x := range list[1:] {
			out[i] = s.choose(s.numbered(first, i), list[0], x)
		}
		return out
	}
	out := make([][]netlist.Net, o.NOut) // Route
	for j := range out {
		var pieces []netlist.Net
		for i, to := range list {
			pieces = append(pieces, s.do(ir.And, 1, s.bit(first, i), s.numbered(to, j)))
		}
		out[j] = s.regroup(pieces, width)
	}
	return out
}

// numbered returns a bit that reports whether an index equals i.
func (s *splitter) numbered(index []netlist.Net, i int) netlist.Net {
	total := s.total(index)
	if !fits(i, total) {
		return s.zero()
	}
	return s.equal(index, s.number(total, i))
}

// element returns the element of a list with the given index, or zero beyond the list. Each bit of
// the index halves the number of candidates.
func (s *splitter) element(index []netlist.Net, list [][]netlist.Net, width int) []netlist.Net {
	none := s.number(width, 0)
	for _, w := range index {
		for bit := range s.width(w) {
			c := s.slice(w, bit, 1)
			if len(list) == 1 {
				list[0] = s.choose(c, none, list[0])
				continue
			}
			next := make([][]netlist.Net, 0, (len(list)+1)/2)
			for i := 0; i < len(list); i += 2 {
				odd := none
				if i+1 < len(list) {
					odd = list[i+1]
				}
				next = append(next, s.choose(c, odd, list[i]))
			}
			list = next
		}
	}
	return list[0]
}
