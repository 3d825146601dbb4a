package gosim

import (
	"errors"
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// vectorable tells whether kernels have what n does, evaluated lane by lane.
func (n *node) vectorable() bool {
	switch {
	case n.lanes < 4 || n.width > 64 || n.code == ir.DivU || n.code == ir.ModU:
		return false
	case n.code == ir.MemRead:
		return n.mem.width <= 64 && n.args[0].width <= 32
	case n.list != nil:
		l := n.list
		return few[n.code] && l.n <= fewElements || n.code == ir.Concat && l.wordwise(n.lanes) && l.v.width == l.v.laneBits()
	case n.code == ir.Slice:
		return true
	}
	return !slices.ContainsFunc(n.args, func(a operand) bool { return a.width > 64 })
}

// lowering makes a kernel of a unit.
type lowering struct {
	u     *unit
	k     *kernel.Kernel
	use   kernel.Value // lanes that are of use; None for all
	local map[*value]kernel.Value
	err   error
}

var errNoKernel = errors.New("not an operation of kernels")

// lower makes the kernels of u, if its operations are those of kernels. The group of changes
// of a value is what group says.
func (u *unit) lower(group func(*value) int) (out []*kernel.Kernel, err error) {
	parts := u.bySize()
	for i, part := range parts {
		k, err := part.lowered(group)
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
func (u *unit) lowered(group func(*value) int) (*kernel.Kernel, error) {
	switch {
	case u.kind == loop, u.kind == packed:
	case u.kind == alone && u.nodes[0].moves != nil && u.nodes[0].width <= 64 && !u.nodes[0].out.bits():
	default:
		return nil, errNoKernel
	}
	lo := &lowering{u: u, k: kernel.New("vector_"+unitName(u), u.lanes, u.size()), local: map[*value]kernel.Value{}}
	lo.k.Doc = fmt.Sprintf("%s: %s", lo.k.Name, u.describe())
	lo.use = kernel.None
	if u.mask != nil {
		lo.k.Mask, lo.k.Masked = placeOf(u.mask), true
		lo.use = lo.mask(operand{v: u.mask, at: identity, width: 1})
	}
	for _, n := range u.nodes {
		x := lo.node(n)
		if lo.err != nil {
			return nil, fmt.Errorf("%s: %w", n.code, lo.err)
		}
		lo.local[n.out] = x
		if n.out.stored {
			lo.k.Store(placeOf(n.out), x, lo.use, group(n.out))
		}
	}
	return lo.k, nil
}

// size is that of the words in which all of u can be computed.
func (u *unit) size() int {
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
				size = max(size, n.sliceBits())
				continue
			}
			size = max(size, elemBits(a.width))
			if a.same(u.lanes) {
				size = max(size, a.v.laneBits())
			}
		}
		if n.list != nil {
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
	case n.nout > 1 || n.when != nil || n.width > 64:
		return lo.fail()
	case n.mem != nil:
		return lo.read(n)
	case n.code == ir.Slice:
		return lo.slice(n)
	case n.code == ir.Mux:
		return lo.mux(n)
	}
	if l := n.adjacent(); l != nil {
		return lo.joined(l.v, n.width)
	}
	narrow := n.width == 1
	for _, a := range n.args {
		if a.width > 64 {
			return lo.fail()
		}
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
