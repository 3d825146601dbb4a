package netlist

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Simplify replaces operations on bits and concatenations by fewer operations on words. A synthesis
// program splits a design into such operations. It leaves operations of vectors and of loops as
// they are, because all lanes should remain alike.
//
//   - A comparison of a concatenation with a constant becomes logic of its parts.
//   - Adjacent multiplexers of one condition, and adjacent equal operations on bits, become one.
//   - Constant operands, repeated conditions and double negations vanish.
func (d *Design) Simplify() {
	s := &simplifier{d: d, to: make([]Net, len(d.Width)), fixed: map[Net][]uint64{}, by: map[Net]*Op{}, lane: map[Net]bool{}, made: map[string]Net{}}
	for i := range s.to {
		s.to[i] = Net(i)
	}
	for _, c := range d.Consts {
		s.fixed[c.Net] = c.Val
		s.made[s.constantKey(int(d.Width[c.Net]), c.Val)] = c.Net
	}
	for _, p := range d.Ports {
		for _, n := range p.Nets {
			s.lane[n] = len(p.Nets) > 1
		}
	}
	for _, r := range d.Regs {
		s.lane[r.Q] = r.Sig.Type.IsVec() || len(r.Copy.Iters) > 0
	}
	type place struct {
		from *ir.Expr
		in   string
	}
	alike := map[place]int{}
	for _, op := range d.Ops {
		alike[place{op.From, op.Copy.Place}]++
	}
	ops := d.Ops
	d.Ops = nil
	for i := range ops {
		op := ops[i]
		s.rename(op.Args)
		if alike[place{op.From, op.Copy.Place}] > 1 || op.NOut > 1 {
			d.Ops = append(d.Ops, op)
			for k := range op.NOut {
				s.lane[op.Out+Net(k)] = true
			}
			continue
		}
		s.from = op
		s.to[op.Out] = s.operation(op)
	}
	s.renameUses()
	d.Prune()
}

// simplifier appends operations to a design.
type simplifier struct {
	d     *Design
	to    []Net // by original net
	fixed map[Net][]uint64
	by    map[Net]*Op  // operation of a net
	lane  map[Net]bool // elements of vectors, and results in a loop
	made  map[string]Net
	from  Op // original operation, whose place new ones get
}

func (s *simplifier) rename(nets []Net) {
	for i, n := range nets {
		if n != None {
			nets[i] = s.to[n]
		}
	}
}

// renameUses renames the nets that are read outside operations.
func (s *simplifier) renameUses() {
	one := func(n *Net) {
		if *n != None {
			*n = s.to[*n]
		}
	}
	for i := range s.d.Regs {
		one(&s.d.Regs[i].D)
		one(&s.d.Regs[i].Clear)
	}
	for i := range s.d.Writes {
		w := &s.d.Writes[i]
		one(&w.Enable)
		one(&w.Addr)
		one(&w.Data)
	}
	for i := range s.d.Checks {
		one(&s.d.Checks[i].Enable)
		one(&s.d.Checks[i].Cond)
	}
	for _, p := range s.d.Ports {
		s.rename(p.Nets)
	}
	for _, v := range s.d.Vars {
		s.rename(v.Nets)
	}
}

func (s *simplifier) width(n Net) int { return int(s.d.Width[n]) }

func (s *simplifier) constantKey(width int, val []uint64) string {
	return fmt.Sprint("const", width, val)
}

// constant returns the net of a constant.
func (s *simplifier) constant(width int, val []uint64) Net {
	key := s.constantKey(width, val)
	n, ok := s.made[key]
	if !ok {
		n = s.net(width)
		s.made[key], s.fixed[n] = n, val
		s.d.Consts = append(s.d.Consts, Const{n, val})
	}
	return n
}

func (s *simplifier) bit(x uint64) Net { return s.constant(1, []uint64{x}) }

func (s *simplifier) net(width int) Net {
	s.d.Width = append(s.d.Width, int32(width))
	return Net(len(s.d.Width) - 1)
}

// one returns the result of an operation, and appends the operation at most once.
func (s *simplifier) one(code ir.Op, width, lo int, args ...Net) Net {
	key := fmt.Appendf(nil, "%d %d %d", code, width, lo)
	for _, a := range args {
		key = binary.AppendVarint(key, int64(a))
	}
	if n, ok := s.made[string(key)]; ok {
		return n
	}
	n, from := s.net(width), *s.from.From
	s.made[string(key)] = n
	op := Op{Code: code, Out: n, NOut: 1, Lo: int32(lo), Args: slices.Clone(args), From: &from, Copy: s.from.Copy, Elem: s.from.Elem}
	s.d.Ops, s.by[n] = append(s.d.Ops, op), &op
	return n
}

// args returns the operands of n if it is the result of an operation of this code, else nil.
func (s *simplifier) args(n Net, code ir.Op) []Net {
	if op := s.by[n]; op != nil && op.Code == code {
		return op.Args
	}
	return nil
}

// operation returns the result of op, whose operands are already simplified.
func (s *simplifier) operation(op Op) Net {
	w, a := s.width(op.Out), op.Args
	switch op.Code {
	case ir.Not:
		return s.not(a[0])
	case ir.And, ir.Or:
		if len(a) > 2 { // of the elements of a vector
			break
		}
		return s.logic(op.Code, w, a...)
	case ir.Eq, ir.Ne:
		return s.compare(op.Code == ir.Ne, a[0], a[1])
	case ir.RedAnd:
		return s.compare(false, a[0], s.constant(s.width(a[0]), ones(s.width(a[0]))))
	case ir.Mux:
		return s.mux(a[0], a[1], a[2])
	case ir.Concat:
		return s.concat(a)
	case ir.Slice:
		return s.slice(a[0], int(op.Lo), w)
	}
	return s.one(op.Code, w, int(op.Lo), a...)
}

// ones returns the number with all bits set.
func ones(width int) []uint64 {
	out := make([]uint64, ir.Words(width))
	for i := range out {
		out[i] = ^uint64(0)
	}
	return part(out, 0, width)
}

func (s *simplifier) not(x Net) Net {
	w := s.width(x)
	if k, ok := s.fixed[x]; ok {
		return s.constant(w, inverse(k, w))
	}
	if a := s.args(x, ir.Not); a != nil {
		return a[0]
	}
	for code, opposite := range map[ir.Op]ir.Op{ir.Eq: ir.Ne, ir.Ne: ir.Eq} {
		if a := s.args(x, code); a != nil {
			return s.one(opposite, 1, 0, a...)
		}
	}
	return s.one(ir.Not, w, 0, x)
}

// inverse returns the complement of a number.
func inverse(k []uint64, width int) []uint64 {
	out := ones(width)
	for i := range out {
		out[i] &^= k[i]
	}
	return out
}

// logic returns the And or the Or of nets.
func (s *simplifier) logic(code ir.Op, width int, args ...Net) Net {
	neutral, absorbing := ones(width), make([]uint64, ir.Words(width))
	if code == ir.Or {
		neutral, absorbing = absorbing, neutral
	}
	var out []Net
	for _, x := range args {
		k, fixed := s.fixed[x]
		switch {
		case fixed && slices.Equal(k, absorbing):
			return x
		case fixed && slices.Equal(k, neutral), slices.Contains(out, x):
		default:
			out = append(out, x)
		}
	}
	if len(out) == 0 {
		return s.constant(width, neutral)
	}
	all := out[0]
	for _, x := range out[1:] {
		all = s.one(code, width, 0, all, x)
	}
	return all
}

// compare returns whether two nets are equal, or differ.
func (s *simplifier) compare(differ bool, x, y Net) Net {
	if _, ok := s.fixed[x]; ok {
		x, y = y, x
	}
	code, all := ir.Eq, ir.And
	if differ {
		code, all = ir.Ne, ir.Or
	}
	k, ok := s.fixed[y]
	if !ok {
		return s.one(code, 1, 0, x, y)
	}
	w := s.width(x)
	if l, both := s.fixed[x]; both {
		return s.bit(map[bool]uint64{true: 1}[slices.Equal(k, l) != differ])
	}
	if w == 1 {
		if k[0] == 1 != differ {
			return x
		}
		return s.not(x)
	}
	if a := s.args(x, ir.Not); a != nil {
		return s.compare(differ, a[0], s.constant(w, inverse(k, w)))
	}
	if a := s.args(x, ir.SExt); a != nil && s.width(a[0]) == 1 {
		switch bit := k[0] & 1; {
		case bit == 0 && slices.Equal(k, make([]uint64, len(k))), bit == 1 && slices.Equal(k, ones(w)):
			return s.compare(differ, a[0], s.bit(bit))
		}
		return s.bit(map[bool]uint64{true: 1}[differ])
	}
	if a := s.args(x, ir.Mux); a != nil && s.fixed[a[1]] != nil || a != nil && s.fixed[a[2]] != nil {
		return s.mux(a[0], s.compare(differ, a[1], y), s.compare(differ, a[2], y))
	}
	pieces := s.pieces(x)
	if len(pieces) == 1 || s.ofLanes(pieces) {
		return s.one(code, 1, 0, x, y)
	}
	var parts []Net
	at := w
	for _, p := range pieces {
		at -= s.width(p)
		parts = append(parts, s.compare(differ, p, s.constant(s.width(p), part(k, at, s.width(p)))))
	}
	return s.logic(all, 1, parts...)
}

// ofLanes reports whether nets contain several lanes, which are easier to compare together.
func (s *simplifier) ofLanes(nets []Net) bool {
	count := 0
	for _, n := range nets {
		if s.lane[n] {
			count++
		}
	}
	return count > 1
}

// pieces returns the operands of x if it is a concatenation, the most significant first, or x.
func (s *simplifier) pieces(x Net) (out []Net) {
	if a := s.args(x, ir.Concat); a != nil {
		for _, p := range a {
			out = append(out, s.pieces(p)...)
		}
		return out
	}
	if a := s.args(x, ir.ZExt); a != nil {
		more := s.width(x) - s.width(a[0])
		return append([]Net{s.constant(more, make([]uint64, ir.Words(more)))}, s.pieces(a[0])...)
	}
	return []Net{x}
}

func (s *simplifier) mux(c, x, y Net) Net {
	if k, ok := s.fixed[c]; ok {
		return map[uint64]Net{0: y, 1: x}[k[0]]
	}
	if a := s.args(c, ir.Not); a != nil {
		return s.mux(a[0], y, x)
	}
	if a := s.args(x, ir.Mux); a != nil && a[0] == c {
		x = a[1]
	}
	if a := s.args(y, ir.Mux); a != nil && a[0] == c {
		y = a[2]
	}
	if x == y {
		return x
	}
	if s.width(x) == 1 && s.fixed[x] != nil && s.fixed[y] != nil {
		if s.fixed[x][0] == 1 {
			return c
		}
		return s.not(c)
	}
	return s.one(ir.Mux, s.width(x), 0, c, x, y)
}

func (s *simplifier) slice(x Net, lo, width int) Net {
	if width == s.width(x) {
		return x
	}
	if k, ok := s.fixed[x]; ok {
		return s.constant(width, part(k, lo, width))
	}
	if op := s.by[x]; op != nil && op.Code == ir.Slice {
		return s.slice(op.Args[0], int(op.Lo)+lo, width)
	}
	if a := s.args(x, ir.SExt); a != nil && s.width(a[0]) == 1 {
		return s.repeat(a[0], width)
	}
	if a := s.args(x, ir.Mux); a != nil && s.joined(a[1]) && s.joined(a[2]) {
		return s.mux(a[0], s.slice(a[1], lo, width), s.slice(a[2], lo, width))
	}
	at := s.width(x)
	for _, p := range s.pieces(x) {
		at -= s.width(p)
		if p != x && lo >= at && lo+width <= at+s.width(p) {
			return s.slice(p, lo-at, width)
		}
	}
	return s.one(ir.Slice, width, lo, x)
}

// joined reports whether x is a constant or a concatenation, so that slices of it cost less than x.
func (s *simplifier) joined(x Net) bool { return s.fixed[x] != nil || len(s.pieces(x)) > 1 }

// repeat returns copies of a bit.
func (s *simplifier) repeat(x Net, width int) Net {
	if width == 1 {
		return x
	}
	return s.one(ir.SExt, width, 0, x)
}
