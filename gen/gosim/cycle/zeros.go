package cycle

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// A count of leading zeros consists of dozens of operations on bits. Any implementation of such a
// count becomes one task, because processors have an instruction for it.

// fewZeros is the maximum number of operations of a count that are done one by one.
const fewZeros = 8

// mostZeros is the maximum number of operations of a count.
const mostZeros = 100

// zeros is the number of zero bits above the highest bit of a value that is set.
type zeros struct {
	of   *plan.Value
	none uint64 // result if no bit is set, at least the number of bits
}

// zerosIn returns v as a count of the leading zeros of a value from which it is computed, or false.
func (t *tasks) zerosIn(v *plan.Value) (zeros, bool) {
	if v.Width < 3 || v.Width > 7 {
		return zeros{}, false
	}
	c := cone{[]*plan.Value{v}, t.depths}
	for count := 1; count <= mostZeros && c.expand(); count++ {
		if len(c.reads) > 1 || count <= fewZeros {
			continue
		}
		if z, ok := countOf(v, c.reads[0]); ok {
			return z, true
		}
	}
	return zeros{}, false
}

// cone contains the values from which a value is computed.
type cone struct {
	reads  []*plan.Value
	depths map[*plan.Value]int
}

// depth returns the length of the longest chain of operations that leads to v.
func (c *cone) depth(v *plan.Value) int {
	if v.Node == nil {
		return 0
	}
	d, ok := c.depths[v]
	if !ok {
		v.Node.Uses(func(x *plan.Value, _ bool) { d = max(d, 1+c.depth(x)) })
		c.depths[v] = d
	}
	return d
}

// expand replaces the deepest value in the cone by its operands. It returns false if that is
// impossible.
func (c *cone) expand() bool {
	v := slices.MaxFunc(c.reads, func(v, w *plan.Value) int { return c.depth(v) - c.depth(w) })
	if v.Node == nil || !plain(v.Node) {
		return false
	}
	c.reads = slices.DeleteFunc(c.reads, func(w *plan.Value) bool { return w == v })
	for _, a := range v.Node.Args {
		if a.V != nil && !slices.Contains(c.reads, a.V) {
			c.reads = append(c.reads, a.V)
		}
	}
	return len(c.reads) > 0
}

// countOf returns v as a count of the leading zeros of x, or false. For each position of the
// highest set bit, the count must be the same, whatever the bits below it are.
func countOf(v, x *plan.Value) (zeros, bool) {
	if x.Width < 4 || x.Width > 64 {
		return zeros{}, false
	}
	all := plan.Ones(x.Width)
	for n := range x.Width {
		highest := uint64(1) << (x.Width - 1 - n)
		got := partly{x: {highest, all &^ (2*highest - 1)}}.value(v)
		if got != exactly(uint64(n), v.Width) {
			return zeros{}, false
		}
	}
	none := partly{x: exactly(0, x.Width)}.value(v)
	return zeros{x, none.ones}, none.all(v.Width) && none.ones >= uint64(x.Width) && none.ones <= uint64(wordOf(x))
}

// wordOf returns the size of the words in which zeros of x are counted.
func wordOf(x *plan.Value) int { return max(32, plan.ElemBits(x.Width)) }

// known contains the bits of a value that are known to be set, and the bits known to be zero.
type known struct{ ones, zeros uint64 }

// exactly returns a number as a value whose bits are all known.
func exactly(x uint64, width int) known { return known{x, plan.Ones(width) &^ x} }

// all reports whether all bits are known.
func (k known) all(width int) bool { return k.ones|k.zeros == plan.Ones(width) }

// partly contains values with some known bits.
type partly map[*plan.Value]known

// value returns the known bits of v.
func (p partly) value(v *plan.Value) known {
	k, ok := p[v]
	if !ok {
		if v.Node != nil && plain(v.Node) {
			k = p.result(v.Node)
		}
		p[v] = k
	}
	return k
}

func (p partly) operand(o plan.Operand) known {
	if o.K != nil {
		return exactly(o.K[0], o.Width)
	}
	return p.value(o.V)
}

// result returns the known bits of the result of n. It knows none for operations that counts do not
// use.
func (p partly) result(n *plan.Node) known {
	args := make([]known, len(n.Args))
	for i, a := range n.Args {
		args[i] = p.operand(a)
	}
	x := args[0]
	switch n.Code {
	case ir.Not:
		return known{x.zeros, x.ones}
	case ir.And:
		for _, y := range args[1:] {
			x = known{x.ones & y.ones, x.zeros | y.zeros}
		}
		return x
	case ir.Or:
		for _, y := range args[1:] {
			x = known{x.ones | y.ones, x.zeros & y.zeros}
		}
		return x
	case ir.Mux:
		y, z := args[1], args[2]
		switch {
		case x.ones != 0:
			return y
		case x.zeros != 0:
			return z
		}
		return known{y.ones & z.ones, y.zeros & z.zeros}
	case ir.Eq, ir.Ne:
		return same(x, args[1], n.Args[0].Width, n.Code == ir.Ne)
	case ir.Slice:
		return known{x.ones >> n.Lo.Add & plan.Ones(n.Width), x.zeros >> n.Lo.Add & plan.Ones(n.Width)}
	case ir.Concat:
		out := known{}
		for i, a := range args {
			out = known{out.ones<<n.Args[i].Width | a.ones, out.zeros<<n.Args[i].Width | a.zeros}
		}
		return out
	case ir.ZExt:
		return known{x.ones, x.zeros | plan.Ones(n.Width)&^plan.Ones(n.Args[0].Width)}
	}
	return known{}
}

// same returns whether x and y are known to be equal, or to differ.
func same(x, y known, width int, differ bool) known {
	is := known{}
	switch {
	case x.ones&y.zeros|x.zeros&y.ones != 0:
		is = exactly(0, 1)
	case x.all(width) && y.all(width):
		is = exactly(1, 1)
	}
	if differ {
		return known{is.zeros, is.ones}
	}
	return is
}

// zeros appends the computation of the count v.
func (t *tasks) zeros(v *plan.Value, z zeros) {
	t.value(z.of)
	t.of[v] = t.add(&task{size: wordOf(z.of), takes: 3, out: v, reads: []*plan.Value{z.of}, do: func(b *blocked) { b.zeros(v, z) },
		label: t.labels.number("zeros", z.of.Width, z.none, v.Width, t.labels.value(z.of)), plain: true})
}

// zeros computes a count. A bit that is always set, below the bits of the value, ends the count if
// no other bit is set.
func (b *blocked) zeros(v *plan.Value, z zeros) {
	k := b.Kernel
	k.Size = wordOf(z.of)
	x := k.Shift(b.Whole(plan.Operand{V: z.of, At: plan.Identity, Width: z.of.Width}), k.Size-z.of.Width)
	if last := k.Size - 1 - int(z.none); last >= 0 {
		x = k.Or(x, k.Const(1<<last))
	}
	x = k.Do(kernel.LeadingZeros, x)
	b.Local[v] = x
	if b.crossing[v] {
		b.store(b.Places[v], x, kernel.None)
	}
}
