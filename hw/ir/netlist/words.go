package netlist

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// concat concatenates nets, the first most significant.
func (s *simplifier) concat(args []Net) Net {
	var flat, out []Net
	for _, x := range args {
		flat = append(flat, s.pieces(x)...)
	}
	for len(flat) > 0 {
		n, x := s.word(flat)
		out = append(out, x)
		flat = flat[n:]
	}
	width := 0
	for _, x := range out {
		width += s.width(x)
	}
	switch k := s.fixed[out[0]]; {
	case len(out) == 1:
		return out[0]
	case len(out) == 2 && k != nil && !slices.ContainsFunc(k, func(w uint64) bool { return w != 0 }):
		return s.one(ir.ZExt, width, 0, out[1])
	}
	return s.one(ir.Concat, width, 0, out...)
}

// fewestBits is the minimum number of equal operations on bits that become one on a word.
const fewestBits = 4

// word returns a net that equals the first n nets.
func (s *simplifier) word(nets []Net) (n int, x Net) {
	first := nets[0]
	run := func(f func(x Net) bool) int {
		n := slices.IndexFunc(nets, func(x Net) bool { return !f(x) })
		if n < 0 {
			n = len(nets)
		}
		return n
	}
	if _, ok := s.fixed[first]; ok {
		n := run(func(x Net) bool { return s.fixed[x] != nil })
		return n, s.joinConstants(nets[:n])
	}
	if s.width(first) == 1 {
		if n := run(func(x Net) bool { return x == first }); n > 1 {
			return n, s.repeat(first, n)
		}
	}
	if op := s.by[first]; op != nil && op.Code == ir.Slice {
		if n := 1 + s.neighbours(nets); n > 1 {
			last, width := s.by[nets[n-1]], 0
			for _, x := range nets[:n] {
				width += s.width(x)
			}
			return n, s.slice(last.Args[0], int(last.Lo), width)
		}
	}
	if a := s.args(first, ir.Mux); a != nil {
		n := run(func(x Net) bool { b := s.args(x, ir.Mux); return b != nil && b[0] == a[0] })
		if n > 1 {
			return n, s.mux(a[0], s.column(nets[:n], 1), s.column(nets[:n], 2))
		}
	}
	for _, code := range []ir.Op{ir.And, ir.Or, ir.Xor, ir.Not} {
		a := s.args(first, code)
		if a == nil || s.width(first) > 1 {
			continue
		}
		n := run(func(x Net) bool { b := s.args(x, code); return b != nil && len(b) == len(a) && s.width(x) == 1 })
		if n < fewestBits {
			continue
		}
		columns := make([]Net, len(a))
		for i := range columns {
			columns[i] = s.column(nets[:n], i)
		}
		switch code {
		case ir.Not:
			return n, s.not(columns[0])
		case ir.Xor:
			return n, s.one(code, n, 0, columns...)
		}
		return n, s.logic(code, n, columns...)
	}
	return 1, first
}

// column concatenates operand i of each operation.
func (s *simplifier) column(nets []Net, i int) Net {
	out := make([]Net, len(nets))
	for k, x := range nets {
		out[k] = s.by[x].Args[i]
	}
	return s.concat(out)
}

// neighbours returns the number of nets after the first that continue the same source.
func (s *simplifier) neighbours(nets []Net) (n int) {
	for ; n+1 < len(nets); n++ {
		high, low := s.by[nets[n]], s.by[nets[n+1]]
		if low == nil || low.Code != ir.Slice || low.Args[0] != high.Args[0] || int(high.Lo) != int(low.Lo)+s.width(nets[n+1]) {
			break
		}
	}
	return n
}

// joinConstants concatenates constants, the first most significant.
func (s *simplifier) joinConstants(nets []Net) Net {
	width := 0
	for _, x := range nets {
		width += s.width(x)
	}
	val, at := make([]uint64, ir.Words(width)), 0
	for _, x := range slices.Backward(nets) {
		for i, w := range s.fixed[x] {
			lo := at + 64*i
			val[lo/64] |= w << (lo % 64)
			if lo%64 > 0 && lo/64+1 < len(val) {
				val[lo/64+1] |= w >> (64 - lo%64)
			}
		}
		at += s.width(x)
	}
	return s.constant(width, val)
}
