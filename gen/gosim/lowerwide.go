package gosim

import (
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// A value of more than 64 bits is several words in a kernel, the lowest first, each with all
// lanes.

// words are those of an operand, of so many at least.
func (lo *lowering) words(o operand, count int) []kernel.Value {
	var out []kernel.Value
	switch {
	case o.width <= 64:
		out = append(out, lo.whole(o))
	case lo.wide[o.v] != nil && o.same(lo.u.lanes):
		out = append(out, lo.wide[o.v]...)
	default:
		out = lo.wordsAt(o, ir.Words(o.width))
	}
	for len(out) < count {
		out = append(out, lo.k.Const(0))
	}
	return out
}

// wordsAt are words of an operand that is not computed here.
func (lo *lowering) wordsAt(o operand, count int) []kernel.Value {
	out := make([]kernel.Value, count)
	for w := range out {
		switch {
		case o.k != nil:
			out[w] = lo.k.Const(o.k[w])
		case o.ks != nil:
			numbers := make([]int, len(o.ks))
			for l, k := range o.ks {
				numbers[l] = int(k[w])
			}
			out[w] = lo.k.Table(numbers)
		case o.v.port != "":
			out[w] = lo.fail("port %s", o.v.port)
		default:
			out[w] = lo.k.Pick(kernel.Place{Field: placeOf(o.v).Field, Size: 64}, lo.behind(o, 8*w, 8*count))
		}
	}
	return out
}

// behind is how many bytes behind the beginning of its storage something in each lane of o is: so
// many behind the beginning of a lane, of which each has so many.
func (lo *lowering) behind(o operand, bytes, each int) []int {
	at := lo.lanesOf(o)
	for l := range at {
		if at[l] = at[l]*each + bytes; o.v.lanes == 1 {
			at[l] = bytes
		}
	}
	return at
}

// trimmed is words without what is above width bits.
func (lo *lowering) trimmed(words []kernel.Value, width int) []kernel.Value {
	words = words[:ir.Words(width)]
	if rest := width % 64; rest > 0 {
		words[len(words)-1] = lo.k.And(words[len(words)-1], ones(rest))
	}
	return words
}

// woven is the words of the result of n, if that is no mask, an operation with a wide value.
func (lo *lowering) woven(n *node) []kernel.Value {
	k, count := lo.k, ir.Words(n.width)
	if !n.woven() {
		lo.fail("not an operation on several words")
		return make([]kernel.Value, count)
	}
	switch n.code {
	case ir.And, ir.Or, ir.Xor:
		var operands [][]kernel.Value
		if n.list != nil {
			for i := range n.list.n {
				operands = append(operands, lo.words(elementOf(n.list, i, n.lanes), count))
			}
		}
		for _, a := range n.args {
			operands = append(operands, lo.words(a, count))
		}
		out := operands[0]
		for _, x := range operands[1:] {
			out = pairwise(func(a, b kernel.Value) kernel.Value { return k.Do(operations[n.code], a, b) }, out, x)
		}
		return out
	case ir.Not:
		all := make([]kernel.Value, count)
		for i := range all {
			all[i] = k.Const(ones(min(64, n.width-64*i)))
		}
		return pairwise(func(a, b kernel.Value) kernel.Value { return k.Do(kernel.Xor, a, b) }, lo.words(n.args[0], count), all)
	case ir.Mux:
		c := lo.mask(n.args[0])
		return pairwise(func(a, b kernel.Value) kernel.Value { return k.Do(kernel.Blend, c, a, b) }, lo.words(n.args[1], count), lo.words(n.args[2], count))
	case ir.ZExt:
		return lo.words(n.args[0], count)
	case ir.Concat:
		if l := n.list; l != nil { // all of it lies there
			return lo.wordsAt(operand{v: l.v, at: identity}, count)
		}
		return lo.put(n, count)
	case ir.Slice:
		return lo.trimmed(lo.down(lo.words(n.args[0], 0), n.lo.add), n.width)
	case ir.Shl, ir.ShrU:
		return lo.shifted(n, count)
	case ir.PopCount:
		x := k.Const(0)
		for _, w := range lo.words(n.args[0], 0) {
			x = k.Do(kernel.Add, x, k.Do(kernel.Count, w))
		}
		return []kernel.Value{x}
	}
	return []kernel.Value{lo.fail("a result of one word")}
}

// pairwise is an operation on words of two values.
func pairwise(do func(a, b kernel.Value) kernel.Value, a, b []kernel.Value) []kernel.Value {
	out := make([]kernel.Value, len(a))
	for i := range out {
		out[i] = do(a[i], b[i])
	}
	return out
}

// wovenMask is the result of n, of one bit.
func (lo *lowering) wovenMask(n *node) kernel.Value {
	k := lo.k
	a := lo.words(n.args[0], 0)
	switch n.code {
	case ir.Eq, ir.Ne:
		op, join := kernel.Equal, kernel.MaskAnd
		if n.code == ir.Ne {
			op, join = kernel.NotEqual, kernel.MaskOr
		}
		return lo.joinedMasks(join, pairwise(func(a, b kernel.Value) kernel.Value { return k.Do(op, a, b) }, a, lo.words(n.args[1], 0)))
	case ir.RedAnd:
		for i := range a {
			a[i] = k.Do(kernel.Equal, a[i], k.Const(ones(min(64, n.args[0].width-64*i))))
		}
		return lo.joinedMasks(kernel.MaskAnd, a)
	case ir.RedXor:
		x := a[0]
		for _, w := range a[1:] {
			x = k.Do(kernel.Xor, x, w)
		}
		return k.Test(k.Do(kernel.Count, x), 1)
	}
	return k.Test(lo.woven(n)[0], 1)
}

func (lo *lowering) joinedMasks(op kernel.Op, masks []kernel.Value) kernel.Value {
	x := masks[0]
	for _, m := range masks[1:] {
		x = lo.k.Do(op, x, m)
	}
	return x
}

// down is words without the lowest bits.
func (lo *lowering) down(words []kernel.Value, bits int) []kernel.Value {
	words = words[bits/64:]
	out := make([]kernel.Value, len(words))
	for i := range out {
		out[i] = lo.k.Shift(words[i], -(bits % 64))
		if i+1 < len(words) && bits%64 > 0 {
			out[i] = lo.k.Or(out[i], lo.k.Shift(words[i+1], 64-bits%64))
		}
	}
	return out
}

// put is the words of a concatenation.
func (lo *lowering) put(n *node, count int) []kernel.Value {
	k, at := lo.k, 0
	out := make([]kernel.Value, count)
	for i := range out {
		out[i] = k.Const(0)
	}
	for i := len(n.args) - 1; i >= 0; i-- {
		width := n.args[i].width
		for j, w := range lo.words(n.args[i], 0) {
			bit := at + 64*j
			out[bit/64] = k.Or(out[bit/64], k.Shift(w, bit%64))
			if used := min(64, width-64*j); bit%64+used > 64 {
				out[bit/64+1] = k.Or(out[bit/64+1], k.Shift(w, bit%64-64))
			}
		}
		at += width
	}
	return out
}

// shifted is what n, a shift, makes of its operand. A word moves into another by the amount less
// their distance in bits; amounts below zero are large ones, which leave nothing.
func (lo *lowering) shifted(n *node, count int) []kernel.Value {
	k, a := lo.k, lo.words(n.args[0], 0)
	amount := lo.amount(n)
	by, back, sign := kernel.ShlBy, kernel.ShrBy, 1
	if n.code == ir.ShrU {
		by, back, sign = back, by, -1
	}
	out := make([]kernel.Value, count)
	for to := range out {
		out[to] = k.Const(0)
		for from, x := range a {
			if distance := 64 * sign * (to - from); distance >= 0 && !lo.zero(x) {
				d := k.Const(uint64(distance))
				out[to] = k.Or(out[to], k.Do(by, x, k.Do(kernel.Sub, amount, d)))
				if distance > 0 {
					out[to] = k.Or(out[to], k.Do(back, x, k.Do(kernel.Sub, d, amount)))
				}
			}
		}
	}
	return lo.trimmed(out, n.width)
}

// zero tells whether x is the constant.
func (lo *lowering) zero(x kernel.Value) bool {
	i := lo.k.Insts[x]
	return i.Op == kernel.Const && i.Imm == 0
}
