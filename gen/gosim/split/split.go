package split

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/guard"
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// word is the number of bits of a word.
const word = 64

// Design is a flattened design whose operations work on words.
type Design struct {
	// Design has a port for each word of each element of a port of the original, a
	// register for each word of a register, and as many memories.
	*netlist.Design
	// Ports contains indices into Design.Ports: the words of each element of each port, the least
	// significant word first.
	Ports [][][]int
	// Regs contains indices into Design.Regs: the words of each register.
	Regs [][]int
	// Strides contains the number of addresses that a word of each memory takes.
	Strides []int
	// Reset is the index in Design.Ports of the input that is the reset, or -1 if there is none.
	Reset int
}

// splitter makes a Design.
type splitter struct {
	in     *netlist.Design
	out    *Design
	words  [][]netlist.Net // by net of in, the least significant word first
	fixed  map[netlist.Net]uint64
	consts map[[2]uint64]netlist.Net
	joins  map[netlist.Net][]netlist.Net // operands of Concat, the least significant first
	shared map[string]netlist.Net
	moves  map[netlist.Net]*netlist.Op // wide values of in that are shifted to the right
	zeros  map[netlist.Net]int         // number of low bits that are zero, by net of in
	raised map[netlist.Net]*raised     // shifts of values with zeros in their low bits, by net of in
	pos    ir.Pos                      // position of the current operation
}

// Words splits d into words. The reset of the engine becomes an input. The error reports an
// external module, or an internal error of the generator.
func Words(d *netlist.Design) (out *Design, err error) {
	if len(d.Externs) > 0 {
		return nil, fmt.Errorf("%s is a black box, which a batch of instances cannot contain", d.Externs[0].Path)
	}
	s := &splitter{in: d, out: &Design{Design: &netlist.Design{Top: d.Top}, Reset: -1}, words: make([][]netlist.Net, len(d.Width)),
		fixed: map[netlist.Net]uint64{}, consts: map[[2]uint64]netlist.Net{}, joins: map[netlist.Net][]netlist.Net{}, shared: map[string]netlist.Net{}, moves: map[netlist.Net]*netlist.Op{},
		zeros: map[netlist.Net]int{}, raised: map[netlist.Net]*raised{}}
	defer guard.Recover(func() string { return fmt.Sprintf("while splitting the operator at %s", s.pos) }, &err)
	for _, k := range d.Consts {
		s.words[k.Net] = s.constants(int(d.Width[k.Net]), k.Val)
	}
	s.inputs()
	s.registers()
	s.memories()
	for i := range d.Ops {
		s.op(&d.Ops[i])
	}
	s.effects()
	s.out.Prune()
	s.nest()
	return s.out, s.out.verify()
}

// copyOf is the Copy of all registers, memories and operations. Other fields distinguish them.
var copyOf = &netlist.Copy{}

// sizes returns the widths of the words of a value.
func sizes(width int) []int {
	var out []int
	for ; width > word; width -= word {
		out = append(out, word)
	}
	return append(out, width)
}

func (s *splitter) newNet(width int) netlist.Net {
	s.out.Width = append(s.out.Width, int32(width))
	return netlist.Net(len(s.out.Width) - 1)
}

// news returns new nets for the words of a value.
func (s *splitter) news(width int) []netlist.Net {
	var out []netlist.Net
	for _, w := range sizes(width) {
		out = append(out, s.newNet(w))
	}
	return out
}

func (s *splitter) width(n netlist.Net) int { return int(s.out.Width[n]) }

// k returns a constant of at most 64 bits.
func (s *splitter) k(width int, x uint64) netlist.Net {
	key := [2]uint64{uint64(width), x}
	if n, ok := s.consts[key]; ok {
		return n
	}
	n := s.newNet(width)
	s.consts[key], s.fixed[n] = n, x
	s.out.Consts = append(s.out.Consts, netlist.Const{Net: n, Val: []uint64{x}})
	return n
}

// constants returns the words of a constant.
func (s *splitter) constants(width int, val []uint64) []netlist.Net {
	var out []netlist.Net
	for i, w := range sizes(width) {
		out = append(out, s.k(w, val[i]))
	}
	return out
}

// is reports whether n is the constant x.
func (s *splitter) is(n netlist.Net, x uint64) bool {
	k, ok := s.fixed[n]
	return ok && k == x
}

func ones(width int) uint64 { return ^uint64(0) >> (word - width) }

// do returns the result of an operation. It simplifies the operation and reuses an equal one.
func (s *splitter) do(code ir.Op, width int, args ...netlist.Net) netlist.Net {
	if n, ok := s.simple(code, width, args); ok {
		return n
	}
	return s.make(code, width, 0, args...)
}

// make does the work of do without simplification.
func (s *splitter) make(code ir.Op, width, lo int, args ...netlist.Net) netlist.Net {
	key := binary.AppendVarint(nil, int64(code))
	key = binary.AppendVarint(key, int64(width))
	key = binary.AppendVarint(key, int64(lo))
	for _, a := range args {
		key = binary.AppendVarint(key, int64(a))
	}
	if n, ok := s.shared[string(key)]; ok {
		return n
	}
	n := s.newNet(width)
	s.shared[string(key)] = n
	s.out.Ops = append(s.out.Ops, netlist.Op{Code: code, Out: n, NOut: 1, Lo: int32(lo), Args: args,
		From: &ir.Expr{Op: code, Pos: s.pos}, Copy: copyOf})
	return n
}

// simple returns the result of an operation that is redundant, and whether it is.
func (s *splitter) simple(code ir.Op, width int, args []netlist.Net) (netlist.Net, bool) {
	a := args[0]
	switch code {
	case ir.ZExt, ir.SExt:
		return a, s.width(a) == width
	case ir.Mux:
		switch {
		case args[1] == args[2], s.is(a, 1):
			return args[1], true
		case s.is(a, 0):
			return args[2], true
		case width == 1 && s.is(args[1], 1) && s.is(args[2], 0):
			return a, true
		}
	case ir.Shl, ir.ShrU:
		return a, s.is(a, 0) || s.is(args[1], 0)
	case ir.And, ir.Or, ir.Xor, ir.Add, ir.Sub:
		return s.union(code, width, a, args[1])
	}
	return 0, false
}

// union returns the result of an operation with a constant of zeros or ones, and whether that is
// known.
func (s *splitter) union(code ir.Op, width int, a, b netlist.Net) (netlist.Net, bool) {
	all := ones(width)
	switch {
	case code == ir.And && (s.is(a, 0) || s.is(b, all)), code == ir.Or && (s.is(a, all) || s.is(b, 0)):
		return a, true
	case code == ir.And && (s.is(b, 0) || s.is(a, all)), code == ir.Or && (s.is(b, all) || s.is(a, 0)):
		return b, true
	case (code == ir.Xor || code == ir.Add || code == ir.Sub) && s.is(b, 0):
		return a, true
	case (code == ir.Xor || code == ir.Add) && s.is(a, 0):
		return b, true
	}
	return 0, false
}

// zero returns the bit 0.
func (s *splitter) zero() netlist.Net { return s.k(1, 0) }

func (s *splitter) not(x netlist.Net) netlist.Net {
	if k, ok := s.fixed[x]; ok {
		return s.k(s.width(x), ^k&ones(s.width(x)))
	}
	return s.do(ir.Not, s.width(x), x)
}

// slice returns width bits of x from bit lo on.
func (s *splitter) slice(x netlist.Net, lo, width int) netlist.Net {
	if lo == 0 && width == s.width(x) {
		return x
	}
	if k, ok := s.fixed[x]; ok {
		return s.k(width, k>>lo&ones(width))
	}
	if pieces := s.joins[x]; pieces != nil {
		return s.part(pieces, lo, width)
	}
	return s.make(ir.Slice, width, lo, x)
}

// part returns at most 64 bits from bit lo on of concatenated values, the least significant value
// first.
func (s *splitter) part(pieces []netlist.Net, lo, width int) netlist.Net {
	var out []netlist.Net
	at := 0
	for _, x := range pieces {
		w := s.width(x)
		if from, end := max(lo, at), min(lo+width, at+w); from < end {
			out = append(out, s.slice(x, from-at, end-from))
		}
		at += w
	}
	return s.join(out)
}

// mostJoined is the maximum number of operands of a Concat.
const mostJoined = 4

// join concatenates values, the least significant first, a few at a time.
func (s *splitter) join(pieces []netlist.Net) netlist.Net {
	all := s.joined(pieces)
	n := s.concatAll(all)
	if len(all) > 1 && s.joins[n] == nil {
		s.joins[n] = all
	}
	return n
}

// concatAll concatenates values, a few at a time. Package plan would turn a longer list of equal
// widths into a read of the lanes of one value, but here lanes are instances.
func (s *splitter) concatAll(pieces []netlist.Net) netlist.Net {
	for len(pieces) > mostJoined {
		var next []netlist.Net
		for group := range slices.Chunk(pieces, mostJoined) {
			next = append(next, s.concat(group))
		}
		pieces = next
	}
	return s.concat(pieces)
}

// joined merges neighbouring constants among pieces.
func (s *splitter) joined(pieces []netlist.Net) []netlist.Net {
	var out []netlist.Net
	for _, x := range pieces {
		if n := len(out); n > 0 {
			a, low := s.fixed[out[n-1]]
			b, high := s.fixed[x]
			if w := s.width(out[n-1]); low && high {
				out[n-1] = s.k(w+s.width(x), a|b<<w)
				continue
			}
		}
		out = append(out, x)
	}
	return out
}

func (s *splitter) concat(pieces []netlist.Net) netlist.Net {
	if len(pieces) == 1 {
		return pieces[0]
	}
	width, args := 0, make([]netlist.Net, len(pieces))
	for i, x := range pieces {
		width += s.width(x)
		args[len(args)-1-i] = x
	}
	if s.is(args[0], 0) && len(args) == 2 {
		return s.do(ir.ZExt, width, args[1])
	}
	n := s.make(ir.Concat, width, 0, args...)
	if s.joins[n] == nil {
		s.joins[n] = pieces
	}
	return n
}

// regroup splits concatenated values into words.
func (s *splitter) regroup(pieces []netlist.Net, width int) []netlist.Net {
	var out []netlist.Net
	lo := 0
	for _, w := range sizes(width) {
		out = append(out, s.part(pieces, lo, w))
		lo += w
	}
	return out
}

// bit returns bit i of a value in words.
func (s *splitter) bit(words []netlist.Net, i int) netlist.Net {
	return s.slice(words[i/word], i%word, 1)
}

// any returns a bit that reports whether a word is not zero.
func (s *splitter) any(x netlist.Net) netlist.Net {
	if k, ok := s.fixed[x]; ok {
		return s.k(1, min(k, 1))
	}
	if s.width(x) == 1 {
		return x
	}
	return s.make(ir.Ne, 1, 0, x, s.k(s.width(x), 0))
}

// all combines bits or words with an associative and commutative operator.
func (s *splitter) all(code ir.Op, list []netlist.Net) netlist.Net {
	for len(list) > 1 {
		var next []netlist.Net
		for i := 0; i+1 < len(list); i += 2 {
			next = append(next, s.do(code, s.width(list[i]), list[i], list[i+1]))
		}
		if len(list)%2 == 1 {
			next = append(next, list[len(list)-1])
		}
		list = next
	}
	return list[0]
}

// equal returns a bit that reports whether two values in words are equal.
func (s *splitter) equal(a, b []netlist.Net) netlist.Net {
	var all []netlist.Net
	for i := range a {
		x, y := a[i], b[i]
		kx, fx := s.fixed[x]
		ky, fy := s.fixed[y]
		switch {
		case fx && fy && kx == ky, x == y:
			all = append(all, s.k(1, 1))
		case fx && fy:
			return s.zero()
		case s.width(x) == 1:
			all = append(all, s.not(s.do(ir.Xor, 1, x, y)))
		default:
			all = append(all, s.make(ir.Eq, 1, 0, x, y))
		}
	}
	return s.all(ir.And, all)
}

// number returns a constant as a value of the given width.
func (s *splitter) number(width, x int) []netlist.Net {
	val := make([]uint64, ir.Words(width))
	val[0] = uint64(x)
	return s.constants(width, val)
}

// fits reports whether width bits can represent x.
func fits(x, width int) bool { return bits.Len(uint(x)) <= width }
