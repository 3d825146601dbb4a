package lower

import (
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// A value of more than 64 bits consists of several words in a kernel, the lowest first, each with
// all lanes.

// words returns the words of an operand, at least count.
func (lo *Builder) words(o plan.Operand, count int) []kernel.Value {
	var out []kernel.Value
	switch {
	case o.Width <= 64:
		out = append(out, lo.Whole(o))
	case lo.wide[o.V] != nil && o.Same(lo.Kernel.Lanes):
		out = append(out, lo.wide[o.V]...)
	default:
		out = lo.wordsAt(o, ir.Words(o.Width))
	}
	for len(out) < count {
		out = append(out, lo.Kernel.Const(0))
	}
	return out
}

// wordsAt returns words of an operand that this kernel does not compute.
func (lo *Builder) wordsAt(o plan.Operand, count int) []kernel.Value {
	out := make([]kernel.Value, count)
	for w := range out {
		switch {
		case o.K != nil:
			out[w] = lo.Kernel.Const(o.K[w])
		case o.Ks != nil:
			numbers := make([]int, len(o.Ks))
			for l, k := range o.Ks {
				numbers[l] = int(k[w])
			}
			out[w] = lo.Kernel.Table(numbers)
		case o.V.Port != "":
			out[w] = lo.Fail("port %s", o.V.Port)
		default:
			out[w] = lo.Kernel.Pick(kernel.Place{Field: PlaceOf(o.V).Field, Size: 64}, lo.behind(o, 8*w, 8*count))
		}
	}
	return out
}

// behind returns offsets in bytes from the beginning of the storage of o: for each lane, the offset
// of the lane, whose size is each, plus bytes.
func (lo *Builder) behind(o plan.Operand, bytes, each int) []int {
	at := lo.lanesOf(o)
	for l := range at {
		if at[l] = at[l]*each + bytes; o.V.Lanes == 1 {
			at[l] = bytes
		}
	}
	return at
}

// trimmed returns words without the bits above width.
func (lo *Builder) trimmed(words []kernel.Value, width int) []kernel.Value {
	words = words[:ir.Words(width)]
	if rest := width % 64; rest > 0 {
		words[len(words)-1] = lo.Kernel.And(words[len(words)-1], plan.Ones(rest))
	}
	return words
}

// woven returns the words of the result of n, an operation with a wide value. The result is not a
// mask.
func (lo *Builder) woven(n *plan.Node) []kernel.Value {
	k, count := lo.Kernel, ir.Words(n.Width)
	if !n.Woven() {
		lo.Fail("not an operation on several words")
		return make([]kernel.Value, count)
	}
	switch n.Code {
	case ir.And, ir.Or, ir.Xor:
		var operands [][]kernel.Value
		if n.List != nil {
			for i := range n.List.N {
				operands = append(operands, lo.words(elementOf(n.List, i, n.Lanes), count))
			}
		}
		for _, a := range n.Args {
			operands = append(operands, lo.words(a, count))
		}
		out := operands[0]
		for _, x := range operands[1:] {
			out = pairwise(func(a, b kernel.Value) kernel.Value { return k.Do(operations[n.Code], a, b) }, out, x)
		}
		return out
	case ir.Not:
		all := make([]kernel.Value, count)
		for i := range all {
			all[i] = k.Const(plan.Ones(min(64, n.Width-64*i)))
		}
		return pairwise(func(a, b kernel.Value) kernel.Value { return k.Do(kernel.Xor, a, b) }, lo.words(n.Args[0], count), all)
	case ir.Mux:
		c := lo.Mask(n.Args[0])
		return pairwise(func(a, b kernel.Value) kernel.Value { return k.Do(kernel.Blend, c, a, b) }, lo.words(n.Args[1], count), lo.words(n.Args[2], count))
	case ir.ZExt:
		return lo.words(n.Args[0], count)
	case ir.Concat:
		if l := n.List; l != nil { // the whole list is in memory
			return lo.wordsAt(plan.Operand{V: l.V, At: plan.Identity}, count)
		}
		return lo.put(n, count)
	case ir.Slice:
		return lo.trimmed(lo.down(lo.words(n.Args[0], 0), n.Lo.Add), n.Width)
	case ir.Shl, ir.ShrU:
		return lo.shifted(n, count)
	case ir.PopCount:
		x := k.Const(0)
		for _, w := range lo.words(n.Args[0], 0) {
			x = k.Do(kernel.Add, x, k.Do(kernel.Count, w))
		}
		return []kernel.Value{x}
	}
	return []kernel.Value{lo.Fail("a result of one word")}
}

// pairwise returns an operation on words of two values.
func pairwise(do func(a, b kernel.Value) kernel.Value, a, b []kernel.Value) []kernel.Value {
	out := make([]kernel.Value, len(a))
	for i := range out {
		out[i] = do(a[i], b[i])
	}
	return out
}

// wovenMask returns the one-bit result of n, an operation with a wide value.
func (lo *Builder) wovenMask(n *plan.Node) kernel.Value {
	k := lo.Kernel
	a := lo.words(n.Args[0], 0)
	switch n.Code {
	case ir.Eq, ir.Ne:
		op, join := kernel.Equal, kernel.MaskAnd
		if n.Code == ir.Ne {
			op, join = kernel.NotEqual, kernel.MaskOr
		}
		return lo.joinedMasks(join, pairwise(func(a, b kernel.Value) kernel.Value { return k.Do(op, a, b) }, a, lo.words(n.Args[1], 0)))
	case ir.RedAnd:
		for i := range a {
			a[i] = k.Do(kernel.Equal, a[i], k.Const(plan.Ones(min(64, n.Args[0].Width-64*i))))
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

func (lo *Builder) joinedMasks(op kernel.Op, masks []kernel.Value) kernel.Value {
	x := masks[0]
	for _, m := range masks[1:] {
		x = lo.Kernel.Do(op, x, m)
	}
	return x
}

// down returns words without the lowest bits.
func (lo *Builder) down(words []kernel.Value, bits int) []kernel.Value {
	words = words[bits/64:]
	out := make([]kernel.Value, len(words))
	for i := range out {
		out[i] = lo.Kernel.Shift(words[i], -(bits % 64))
		if i+1 < len(words) && bits%64 > 0 {
			out[i] = lo.Kernel.Or(out[i], lo.Kernel.Shift(words[i+1], 64-bits%64))
		}
	}
	return out
}

// put returns the words of a concatenation.
func (lo *Builder) put(n *plan.Node, count int) []kernel.Value {
	k, at := lo.Kernel, 0
	out := make([]kernel.Value, count)
	for i := range out {
		out[i] = k.Const(0)
	}
	for i := len(n.Args) - 1; i >= 0; i-- {
		width := n.Args[i].Width
		for j, w := range lo.words(n.Args[i], 0) {
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

// shifted returns the result of the shift n. A word is shifted into another word by the amount
// minus their distance in bits. Negative differences are large unsigned numbers, for which nothing
// remains.
func (lo *Builder) shifted(n *plan.Node, count int) []kernel.Value {
	k, a := lo.Kernel, lo.words(n.Args[0], 0)
	amount := lo.amount(n)
	by, back, sign := kernel.ShlBy, kernel.ShrBy, 1
	if n.Code == ir.ShrU {
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
	return lo.trimmed(out, n.Width)
}

// zero reports whether x is the constant 0.
func (lo *Builder) zero(x kernel.Value) bool {
	i := lo.Kernel.Insts[x]
	return i.Op == kernel.Const && i.Imm == 0
}
