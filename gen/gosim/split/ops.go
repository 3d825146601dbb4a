package split

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// op splits an operation.
func (s *splitter) op(o *netlist.Op) {
	s.pos = o.From.Pos
	args := make([][]netlist.Net, len(o.Args))
	for i, a := range o.Args {
		args[i] = s.words[a]
	}
	width := int(s.in.Width[o.Out])
	if o.Code == ir.Update || o.Code == ir.Route {
		for k, x := range s.listed(o, args, width) {
			s.words[o.Out+netlist.Net(k)] = x
		}
		return
	}
	s.words[o.Out] = s.result(o, args, width)
}

// result returns the words of an operation with one result.
func (s *splitter) result(o *netlist.Op, args [][]netlist.Net, width int) []netlist.Net {
	of := func(i int) int { return int(s.in.Width[o.Args[i]]) }
	one := func(n netlist.Net) []netlist.Net { return []netlist.Net{n} }
	switch o.Code {
	case ir.Not, ir.And, ir.Or, ir.Xor:
		return s.bitwise(o.Code, args)
	case ir.Mux:
		return s.choose(args[0][0], args[1], args[2])
	case ir.RedAnd, ir.RedXor:
		return one(s.reduce(o.Code, args[0]))
	case ir.Eq:
		return one(s.equal(args[0], args[1]))
	case ir.Ne:
		return one(s.not(s.equal(args[0], args[1])))
	case ir.LtU, ir.LtS:
		return one(s.less(o.Code, args[0], args[1]))
	case ir.LeU:
		return one(s.not(s.less(ir.LtU, args[1], args[0])))
	case ir.Add, ir.Sub:
		return s.sum(o.Code, args[0], args[1])
	case ir.Slice:
		if m := s.moves[o.Args[0]]; m != nil && o.Lo == 0 && width == 1 {
			return one(s.bitAt(s.words[m.Args[0]], s.words[m.Args[1]]))
		}
		if r := s.raised[o.Args[0]]; r != nil {
			if x, ok := s.cut(r, int(o.Lo), width); ok {
				return x
			}
		}
		return s.slices(args[0], int(o.Lo), width)
	case ir.Concat:
		s.zeros[o.Out] = s.zeroBits(o, args)
		var pieces []netlist.Net
		for i := len(args) - 1; i >= 0; i-- {
			pieces = append(pieces, args[i]...)
		}
		return s.regroup(pieces, width)
	case ir.ZExt:
		return s.extend(args[0], of(0), width, s.zero())
	case ir.SExt:
		return s.extend(args[0], of(0), width, s.bit(args[0], of(0)-1))
	case ir.Shl, ir.ShrU, ir.ShrS:
		if o.Code == ir.ShrU && width > word {
			s.moves[o.Out] = o
		}
		if o.Code == ir.ShrU {
			s.raise(o, args[0], args[1], width)
		}
		return s.shift(o.Code, args[0], args[1], width)
	case ir.MemRead:
		return s.read(int(o.Lo), args[0], width)
	case ir.Lowest:
		return s.lowest(args[0])
	case ir.Encode:
		return one(s.encode(args[0], width))
	case ir.PopCount:
		return one(s.count(args[0], width))
	case ir.Elem, ir.Select, ir.EqLanes:
		return s.listed(o, args, width)[0]
	case ir.Mul, ir.DivU, ir.ModU:
		return s.whole(o.Code, args, width)
	}
	panic(fmt.Sprintf("split: %s", o.Code))
}

func (s *splitter) bitwise(code ir.Op, args [][]netlist.Net) []netlist.Net {
	out := make([]netlist.Net, len(args[0]))
	for k := range out {
		if code == ir.Not {
			out[k] = s.not(args[0][k])
			continue
		}
		list := make([]netlist.Net, len(args))
		for i, a := range args {
			list[i] = a[k]
		}
		out[k] = s.all(code, list)
	}
	return out
}

// choose returns cond ? a : b.
func (s *splitter) choose(cond netlist.Net, a, b []netlist.Net) []netlist.Net {
	out := make([]netlist.Net, len(a))
	for k := range out {
		out[k] = s.do(ir.Mux, s.width(a[k]), cond, a[k], b[k])
	}
	return out
}

// reduce returns the conjunction or the parity of all bits.
func (s *splitter) reduce(code ir.Op, x []netlist.Net) netlist.Net {
	if code == ir.RedAnd {
		var all []netlist.Net
		for _, w := range x {
			all = append(all, s.equal([]netlist.Net{w}, []netlist.Net{s.k(s.width(w), ones(s.width(w)))}))
		}
		return s.all(ir.And, all)
	}
	list := make([]netlist.Net, len(x))
	for i, w := range x {
		list[i] = s.do(ir.ZExt, s.width(x[0]), w)
	}
	all := s.all(ir.Xor, list)
	if s.width(all) == 1 {
		return all
	}
	return s.make(ir.RedXor, 1, 0, all)
}

// less returns a bit that reports whether a is less than b, signed if code is LtS.
func (s *splitter) less(code ir.Op, a, b []netlist.Net) netlist.Net {
	top := len(a) - 1
	out := s.zero()
	for k := range a {
		c := ir.LtU
		if k == top {
			c = code
		}
		lt := s.make(c, 1, 0, a[k], b[k])
		if k == 0 {
			out = lt
			continue
		}
		out = s.do(ir.Or, 1, lt, s.do(ir.And, 1, s.equal(a[k:k+1], b[k:k+1]), out))
	}
	return out
}

// sum adds or subtracts word by word, with a carry.
func (s *splitter) sum(code ir.Op, a, b []netlist.Net) []netlist.Net {
	out := make([]netlist.Net, len(a))
	carry := s.zero()
	for k := range a {
		w := s.width(a[k])
		x := s.do(code, w, a[k], b[k])
		in := s.do(ir.ZExt, w, carry)
		if k == 0 {
			in = s.k(w, 0)
		}
		out[k] = s.do(code, w, x, in)
		if k == len(a)-1 {
			break
		}
		if code == ir.Add {
			carry = s.do(ir.Or, 1, s.make(ir.LtU, 1, 0, x, a[k]), s.make(ir.LtU, 1, 0, out[k], x))
		} else {
			carry = s.do(ir.Or, 1, s.make(ir.LtU, 1, 0, a[k], b[k]), s.make(ir.LtU, 1, 0, x, in))
		}
	}
	return out
}

// slices returns width bits from bit lo on.
func (s *splitter) slices(x []netlist.Net, lo, width int) []netlist.Net {
	var out []netlist.Net
	for _, w := range sizes(width) {
		out = append(out, s.part(x, lo, w))
		lo += w
	}
	return out
}

// extend returns x, which has from bits, extended to width bits by copies of the bit above.
func (s *splitter) extend(x []netlist.Net, from, width int, above netlist.Net) []netlist.Net {
	var out []netlist.Net
	signed := !s.is(above, 0)
	for k, w := range sizes(width) {
		switch {
		case k < len(x) && signed:
			out = append(out, s.do(ir.SExt, w, x[k]))
		case k < len(x):
			out = append(out, s.extended(x[k], w))
		case signed:
			out = append(out, s.do(ir.SExt, w, above))
		default:
			out = append(out, s.k(w, 0))
		}
	}
	return out
}

// extended returns a word extended with zeros.
func (s *splitter) extended(x netlist.Net, width int) netlist.Net {
	if k, ok := s.fixed[x]; ok {
		return s.k(width, k)
	}
	n := s.do(ir.ZExt, width, x)
	if n != x && s.joins[n] == nil {
		s.joins[n] = []netlist.Net{x, s.k(width-s.width(x), 0)}
	}
	return n
}

// whole performs an operation on whole values.
func (s *splitter) whole(code ir.Op, args [][]netlist.Net, width int) []netlist.Net {
	if width <= word {
		return []netlist.Net{s.make(code, width, 0, args[0][0], args[1][0])}
	}
	wide := make([]netlist.Net, len(args))
	for i, a := range args {
		wide[i] = s.concatAll(a)
	}
	x := s.make(code, width, 0, wide...)
	var out []netlist.Net
	lo := 0
	for _, w := range sizes(width) {
		out = append(out, s.make(ir.Slice, w, lo, x))
		lo += w
	}
	return out
}

// lowest returns the lowest bit that is set.
func (s *splitter) lowest(x []netlist.Net) []netlist.Net {
	out := make([]netlist.Net, len(x))
	below := s.zero()
	for k, w := range x {
		low := w
		if s.width(w) > 1 {
			low = s.make(ir.Lowest, s.width(w), 0, w)
		}
		out[k] = s.do(ir.Mux, s.width(w), below, s.k(s.width(w), 0), low)
		below = s.do(ir.Or, 1, below, s.any(w))
	}
	return out
}

// encode returns the union of the numbers of the bits that are set.
func (s *splitter) encode(x []netlist.Net, width int) netlist.Net {
	list := []netlist.Net{s.k(width, 0)}
	for k, w := range x {
		if size := s.width(w); size > 1 {
			list = append(list, s.extended(s.make(ir.Encode, ir.IndexWidth(size), 0, w), width))
		}
		if k > 0 {
			list = append(list, s.do(ir.Mux, width, s.any(w), s.k(width, uint64(k*word)), s.k(width, 0)))
		}
	}
	return s.all(ir.Or, list)
}

// count returns the number of bits that are set.
func (s *splitter) count(x []netlist.Net, width int) netlist.Net {
	out := s.k(width, 0)
	for _, w := range x {
		n := w
		if size := s.width(w); size > 1 {
			n = s.make(ir.PopCount, ir.CountWidth(size), 0, w)
		}
		out = s.do(ir.Add, width, out, s.extended(n, width))
	}
	return out
}
