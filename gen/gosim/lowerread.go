package gosim

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
)

// placeOf is where the storage of v begins.
func placeOf(v *value) kernel.Place {
	if v.of != nil {
		v = v.of
	}
	return kernel.Place{Field: fieldName(v), Size: v.laneBits()}
}

// strideOf is the number of bits from a lane of v to the next.
func strideOf(v *value) int {
	switch {
	case v.lanes == 1:
		return 0
	case v.bits():
		return 1
	case v.width > 64:
		return 64 * v.words()
	}
	return v.laneBits()
}

// lanesOf are the lanes that o reads.
func (lo *lowering) lanesOf(o operand) []int {
	out := make([]int, lo.u.lanes)
	for l := range out {
		out[l] = o.ref(l).lane
	}
	return out
}

// fail notes why there can be no kernel.
func (lo *lowering) fail(reason string, args ...any) kernel.Value {
	lo.err = fmt.Errorf(reason, args...)
	return lo.k.Const(0)
}

// word is an operand of more than one bit.
func (lo *lowering) word(o operand) kernel.Value {
	switch {
	case o.width > lo.k.Size:
		return lo.fail("an operand of %d bits in words of %d", o.width, lo.k.Size)
	case o.k != nil:
		return lo.k.Const(o.k[0])
	case o.ks != nil:
		return lo.k.Table(firsts(o.ks))
	case o.v.port != "":
		return lo.fail("port %s", o.v.port)
	}
	if x, ok := lo.local[o.v]; ok && o.same(lo.u.lanes) {
		return x
	}
	at := placeOf(o.v)
	if o.v.lanes == 1 {
		at.Size = lo.k.Size
	}
	bytes := lo.lanesOf(o)
	for l := range bytes {
		bytes[l] *= strideOf(o.v) / 8
	}
	return lo.k.Pick(at, bytes)
}

// firsts are the first words of constants.
func firsts(ks [][]uint64) []int {
	out := make([]int, len(ks))
	for l, k := range ks {
		out[l] = int(k[0])
	}
	return out
}

// mask is an operand of one bit.
func (lo *lowering) mask(o operand) kernel.Value {
	k := lo.k
	switch {
	case o.k != nil && o.k[0] == 0:
		return k.Do(kernel.NotEqual, k.Const(0), k.Const(0))
	case o.k != nil:
		return k.Do(kernel.Equal, k.Const(0), k.Const(0))
	case o.ks != nil:
		return k.Test(k.Table(firsts(o.ks)), 1)
	case o.v.port != "":
		return lo.fail("port %s", o.v.port)
	}
	if x, ok := lo.local[o.v]; ok && o.same(lo.u.lanes) {
		return x
	}
	at := placeOf(o.v)
	at.Size = 0
	numbers := lo.lanesOf(o)
	if o.v.lanes == 1 {
		clear(numbers)
	}
	return k.PickMask(at, numbers)
}

// whole is any operand as words.
func (lo *lowering) whole(o operand) kernel.Value {
	if o.width > 1 || o.k != nil {
		return lo.word(o)
	}
	return lo.k.Keep(lo.mask(o), lo.k.Const(1))
}

// fewSources is the greatest number of values that a gather takes lanes of.
const fewSources = 4

// gathered is lanes of several values, and constants.
func (lo *lowering) gathered(n *node) kernel.Value {
	k := lo.k
	var from []*value
	constants := make([]int, n.lanes)
	for l, r := range n.moves {
		switch {
		case r.v == nil:
			constants[l] = int(r.k[0])
		case r.v.port != "" || r.v.of != nil:
			return lo.fail("a port, or bits of words")
		case !slices.Contains(from, r.v):
			from = append(from, r.v)
		}
	}
	if len(from) == 0 || len(from) > fewSources {
		return lo.fail("lanes of %d values", len(from))
	}
	x := k.Table(constants)
	for i, v := range from {
		lanes, in := make([]int, n.lanes), make([]int, n.lanes)
		first := slices.IndexFunc(n.moves, func(r ref) bool { return r.v == v })
		for l, r := range n.moves {
			lanes[l] = n.moves[first].lane // as good as any where it is not used
			if r.v == v {
				lanes[l], in[l] = r.lane, 1
			}
		}
		y := lo.word(operand{v: v, table: lanes, width: n.width})
		if i == 0 && !slices.Contains(in, 0) {
			return y
		}
		x = k.Do(kernel.Blend, k.Test(k.Table(in), 1), y, x)
	}
	return x
}

// read is a word of a memory.
func (lo *lowering) read(n *node) kernel.Value {
	k, m := lo.k, n.mem
	if !n.vectorable() {
		return lo.fail("a memory of words of %d bits", m.width)
	}
	x := lo.whole(n.args[0])
	use := lo.mask(always)
	if !bounded(n.args[0].width, m.room) {
		use = k.Do(kernel.Less, x, k.Const(uint64(m.room)))
	}
	if lo.use != kernel.None {
		use = k.Do(kernel.MaskAnd, use, lo.use)
	}
	return k.Gather(placeOfMemory(m), lo.address(m, x, n.memAt), use)
}

// joined is memory taken for words of width bits.
func (lo *lowering) joined(v *value, width int) kernel.Value {
	if !slices.Contains([]int{8, 16, 32, 64}, width) || v.port != "" {
		return lo.fail("words of %d bits", width)
	}
	at := placeOf(v)
	at.Size = width
	return lo.k.Load(at)
}

// slice is a part of a word, or of memory.
func (lo *lowering) slice(n *node) kernel.Value {
	k, a := lo.k, n.args[0]
	_, here := lo.local[a.v]
	here = here && a.same(n.lanes)
	if a.k != nil || a.ks != nil || a.width == 1 {
		return lo.fail("a constant or a bit, cut")
	}
	if here || a.width <= k.Size && a.table == nil && n.lo.constant() && a.v.lanes > 1 {
		return lo.part(lo.word(a), n)
	}
	if a.v.port != "" {
		return lo.fail("port %s", a.v.port)
	}
	bits := lo.lanesOf(a)
	for l := range bits {
		bits[l] = bits[l]*strideOf(a.v) + n.lo.at(l)
	}
	return lo.field(a.v, bits, n.width)
}

// field is width bits of the storage of v, from a bit on that each lane has.
func (lo *lowering) field(v *value, bits []int, width int) kernel.Value {
	k := lo.k
	bytes, shifts := make([]int, len(bits)), make([]int, len(bits))
	for l, b := range bits {
		bytes[l], shifts[l] = b/8, b%8
	}
	if slices.Max(shifts)+width > k.Size {
		return lo.fail("%d bits behind bit %d", width, slices.Max(shifts))
	}
	at := placeOf(v)
	at.Size = k.Size
	x := k.Pick(at, bytes)
	if slices.Min(shifts) == slices.Max(shifts) {
		if width == 1 {
			return k.Test(x, 1<<shifts[0])
		}
		return k.And(k.Shift(x, -shifts[0]), ones(width))
	}
	return lo.moved(x, shifts, width)
}

// moved is width bits of x from a bit on that differs by lane.
func (lo *lowering) moved(x kernel.Value, by []int, width int) kernel.Value {
	if lo.k.Size == 8 {
		return lo.fail("bytes moved by lane")
	}
	x = lo.k.Do(kernel.ShrBy, x, lo.k.Table(by))
	if width == 1 {
		return lo.k.Test(x, 1)
	}
	return lo.k.And(x, ones(width))
}

// part is the bits of x that n takes, a slice.
func (lo *lowering) part(x kernel.Value, n *node) kernel.Value {
	k := lo.k
	if !n.lo.constant() {
		shifts := make([]int, n.lanes)
		for l := range shifts {
			shifts[l] = n.lo.at(l)
		}
		return lo.moved(x, shifts, n.width)
	}
	if n.width == 1 {
		return k.Test(x, 1<<n.lo.add)
	}
	x = k.Shift(x, -n.lo.add)
	if n.lo.add+n.width == n.args[0].width {
		return x
	}
	return k.And(x, ones(n.width))
}
