package gosim

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// lowering makes a kernel of a unit.
type lowering struct {
	u     *unit
	k     *kernel.Kernel
	use   kernel.Value // lanes that are of use; None for all
	local map[*value]kernel.Value
	wide  map[*value][]kernel.Value // words of wide values
	err   error
}

// lower makes the kernels of u, if its operations are those of kernels; none of a unit that is no
// loop over lanes of words. The group of changes of a value is what group says.
func lower(u *unit, group func(*value) int) (out []*kernel.Kernel, err error) {
	if u.kind == scalar || u.kind == words {
		return nil, nil
	}
	parts := bySize(u)
	for i, part := range parts {
		k, err := lowered(part, group)
		if err != nil {
			return nil, err
		}
		if len(parts) > 1 {
			k.Name += fmt.Sprintf("_%d", i)
		}
		out = append(out, k)
	}
	return out, nil
}

// lowered makes the one kernel of u.
func lowered(u *unit, group func(*value) int) (*kernel.Kernel, error) {
	switch {
	case u.kind == loop, u.kind == packed:
	case u.kind == alone && u.nodes[0].moves != nil && u.nodes[0].width <= 64 && !u.nodes[0].out.bits():
	default:
		return nil, fmt.Errorf("%s: not a unit of kernels", u.nodes[0].code)
	}
	lo := &lowering{u: u, k: kernel.New("vector_"+unitName(u), u.lanes, sizeOf(u)), local: map[*value]kernel.Value{}, wide: map[*value][]kernel.Value{}}
	lo.k.Doc = fmt.Sprintf("%s: %s", lo.k.Name, u.describe())
	lo.use = kernel.None
	if u.mask != nil {
		lo.k.Mask, lo.k.Masked = placeOf(u.mask), true
		lo.use = lo.mask(operand{v: u.mask, at: identity, width: 1})
	}
	if copied(u) {
		lo.copying(group(u.nodes[0].out))
		return lo.k, lo.err
	}
	for _, n := range u.nodes {
		lo.result(n, group)
		if lo.err != nil {
			return nil, fmt.Errorf("%s: %w", n.code, lo.err)
		}
	}
	return lo.k, nil
}

// result computes n, and stores that if need be.
func (lo *lowering) result(n *node, group func(*value) int) {
	if n.width > 64 {
		words := lo.woven(n)
		lo.wide[n.out] = words
		if n.out.stored && lo.err == nil {
			lo.k.StoreWords(placeOf(n.out), words, lo.use, group(n.out))
		}
		return
	}
	x := lo.node(n)
	lo.local[n.out] = x
	if n.out.stored && lo.err == nil {
		lo.k.Store(placeOf(n.out), x, lo.use, group(n.out))
	}
}

// sizeOf is that of the words in which all of u can be computed.
func sizeOf(u *unit) int {
	if copied(u) {
		return 32
	}
	size := 8
	for size < 64 && u.lanes*size < 128 { // the shortest vector
		size *= 2
	}
	for _, n := range u.nodes {
		for i, a := range n.args {
			if i == 1 && a.k != nil && (n.code == ir.Shl || n.code == ir.ShrU || n.code == ir.ShrS) {
				continue // of a constant what counts is small
			}
			if n.code == ir.Slice && a.v != nil && !slices.Contains(u.nodes, a.v.node) {
				size = max(size, sliceBits(n))
				continue
			}
			size = max(size, elemBits(a.width))
			if a.same(u.lanes) {
				size = max(size, a.v.laneBits())
			}
		}
		if n.list != nil {
			if n.list.inRow(n) {
				size = max(size, 16, elemBits(n.width+7))
			}
			size = max(size, elemBits(n.list.v.width), n.list.v.laneBits())
		}
		for _, r := range n.moves {
			if r.v != nil {
				size = max(size, r.v.laneBits())
			}
		}
		switch n.code {
		case ir.Shl, ir.ShrU, ir.ShrS, ir.Mul, ir.SExt, ir.LtS:
			size = max(size, 16)
		case ir.MemRead:
			size = max(size, 32)
		}
		size = max(size, elemBits(n.width), n.out.laneBits())
	}
	return size
}

// node is the result of n.
func (lo *lowering) node(n *node) kernel.Value {
	switch {
	case n.moves != nil:
		return lo.gathered(n)
	case n.list != nil:
		return lo.listed(n)
	case n.nout > 1 || n.when != nil:
		return lo.fail("a result of %d lanes of %d bits for each lane", n.nout, n.width)
	case n.mem != nil:
		return lo.read(n)
	case n.code == ir.Slice:
		return lo.slice(n)
	case n.code == ir.Mux:
		return lo.mux(n)
	}
	switch {
	case n.wide() && n.width == 1:
		return lo.wovenMask(n)
	case n.wide():
		return lo.woven(n)[0]
	}
	if l := n.adjacent(); l != nil {
		return lo.joined(l.v, n.width)
	}
	narrow := n.width == 1
	for _, a := range n.args {
		narrow = narrow && a.width == 1
	}
	if narrow {
		return lo.bitwise(n)
	}
	x := lo.compute(n)
	if n.width == 1 && !lo.k.IsMask(x) {
		return lo.k.Test(x, 1)
	}
	return x
}
