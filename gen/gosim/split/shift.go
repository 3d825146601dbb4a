package split

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// shift shifts x by an amount that is known only at run time. It shifts by whole words first, one
// step for each bit of the number of words, and then within words.
func (s *splitter) shift(code ir.Op, x, amount []netlist.Net, width int) []netlist.Net {
	if len(x) == 1 && len(amount) == 1 {
		return []netlist.Net{s.do(code, width, x[0], amount[0])}
	}
	if code == ir.Shl && s.isOne(x) {
		return s.decoded(amount, width)
	}
	fill := s.k(word, 0)
	if code == ir.ShrS {
		fill = s.do(ir.SExt, word, s.bit(x, width-1))
	}
	x = append([]netlist.Net{}, x...)
	top := len(x) - 1
	if code == ir.ShrS {
		x[top] = s.do(ir.SExt, word, x[top])
	} else {
		x[top] = s.extended(x[top], word)
	}
	total := s.total(amount)
	const inWord = 6
	for step := 1; step < len(x); step *= 2 {
		bit := inWord + ir.Clog2(step)
		if bit >= total {
			break
		}
		x = s.choose(s.bit(amount, bit), moved(code, x, step, fill), x)
	}
	x = s.within(code, x, s.part(amount, 0, min(inWord, total)), fill)
	if high := inWord + ir.Clog2(len(x)); high < total {
		far := s.any(s.part(amount, high, min(word, total)-high))
		for _, a := range amount[1:] {
			far = s.do(ir.Or, 1, far, s.any(a))
		}
		all := make([]netlist.Net, len(x))
		for k := range all {
			all[k] = fill
		}
		x = s.choose(far, all, x)
	}
	return s.slices(x, 0, width)
}

// isOne reports whether x is the constant 1.
func (s *splitter) isOne(x []netlist.Net) bool {
	for _, w := range x[1:] {
		if !s.is(w, 0) {
			return false
		}
	}
	return s.is(x[0], 1)
}

// decoded returns a value in which only bit i is set.
func (s *splitter) decoded(i []netlist.Net, width int) []netlist.Net {
	low, high := s.indices(i)
	bit := s.do(ir.Shl, word, s.k(word, 1), low)
	var out []netlist.Net
	for k, w := range sizes(width) {
		here := s.slice(bit, 0, w)
		if len(high) > 0 {
			here = s.do(ir.Mux, w, s.numbered(high, k), here, s.k(w, 0))
		} else if k > 0 {
			here = s.k(w, 0)
		}
		out = append(out, here)
	}
	return out
}

// indices returns the number of a bit within its word, and the number of the word.
func (s *splitter) indices(i []netlist.Net) (low netlist.Net, high []netlist.Net) {
	const inWord = 6
	total := s.total(i)
	if total <= inWord {
		return i[0], nil
	}
	return s.part(i, 0, inWord), s.slices(i, inWord, total-inWord)
}

// total returns the number of bits of words.
func (s *splitter) total(x []netlist.Net) (n int) {
	for _, w := range x {
		n += s.width(w)
	}
	return n
}

// bitAt returns bit i of x, which has several words, or zero beyond x.
func (s *splitter) bitAt(x, i []netlist.Net) netlist.Net {
	low, high := s.indices(i)
	var list [][]netlist.Net
	for _, w := range x {
		list = append(list, []netlist.Net{s.extended(w, word)})
	}
	w := x[0]
	if len(high) > 0 {
		w = s.element(high, list, word)[0]
	}
	return s.slice(s.do(ir.ShrU, s.width(w), w, low), 0, 1)
}

// moved returns x shifted by whole words, up or down.
func moved(code ir.Op, x []netlist.Net, by int, fill netlist.Net) []netlist.Net {
	out := make([]netlist.Net, len(x))
	for k := range out {
		from := k + by
		if code == ir.Shl {
			from = k - by
		}
		out[k] = fill
		if from >= 0 && from < len(x) {
			out[k] = x[from]
		}
	}
	return out
}

// within shifts x by fewer bits than a word has.
func (s *splitter) within(code ir.Op, x []netlist.Net, by, fill netlist.Net) []netlist.Net {
	const size = 7 // bits of numbers up to 64
	rest := s.make(ir.Sub, size, 0, s.k(size, word), s.extended(by, size))
	near, far := ir.ShrU, ir.Shl
	if code == ir.Shl {
		near, far = ir.Shl, ir.ShrU
	}
	next := moved(code, x, 1, fill)
	out := make([]netlist.Net, len(x))
	for k := range out {
		out[k] = s.do(ir.Or, word, s.do(near, word, x[k], by), s.do(far, word, next[k], rest))
	}
	return out
}
