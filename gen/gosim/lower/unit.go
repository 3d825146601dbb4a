package lower

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// lowering makes a kernel of a unit.
type lowering struct {
	u     *plan.Unit
	k     *kernel.Kernel
	use   kernel.Value // lanes that are of use; None for all
	local map[*plan.Value]kernel.Value
	wide  map[*plan.Value][]kernel.Value // words of wide values
	ports map[*plan.Value]kernel.Place   // inputs that are read where users put them
	err   error
}

func newLowering(u *plan.Unit, k *kernel.Kernel) *lowering {
	return &lowering{u: u, k: k, use: kernel.None, local: map[*plan.Value]kernel.Value{}, wide: map[*plan.Value][]kernel.Value{}, ports: map[*plan.Value]kernel.Place{}}
}

// Unit makes the kernels of u, if its operations are those of kernels; none of a unit that is no
// loop over lanes of words. The group of changes of a value is what group says.
func Unit(u *plan.Unit, group func(*plan.Value) int) (out []*kernel.Kernel, err error) {
	if u.Kind == plan.Scalar || u.Kind == plan.Words {
		return nil, nil
	}
	if routes(u) {
		return routed(u, group)
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
func lowered(u *plan.Unit, group func(*plan.Value) int) (*kernel.Kernel, error) {
	switch {
	case u.Kind == plan.Loop, u.Kind == plan.Packed:
	case u.Kind == plan.Alone && u.Nodes[0].Moves != nil && u.Nodes[0].Width <= 64 && !u.Nodes[0].Out.Bits():
	default:
		return nil, fmt.Errorf("%s: not a unit of kernels", u.Nodes[0].Code)
	}
	lo := newLowering(u, kernel.New("vector_"+names.Unit(u), u.Lanes, sizeOf(u)))
	lo.k.Doc = fmt.Sprintf("%s: %s", lo.k.Name, u.Describe())
	if u.Mask != nil {
		lo.k.Mask, lo.k.Masked = placeOf(u.Mask), true
		lo.use = lo.mask(plan.Operand{V: u.Mask, At: plan.Identity, Width: 1})
	}
	if copied(u) {
		lo.copying(group(u.Nodes[0].Out))
		return lo.k, lo.err
	}
	for _, n := range u.Nodes {
		lo.result(n, group)
		if lo.err != nil {
			return nil, fmt.Errorf("%s: %w", n.Code, lo.err)
		}
	}
	lo.k.Simplify()
	return lo.k, nil
}

// result computes n, and stores that if need be.
func (lo *lowering) result(n *plan.Node, group func(*plan.Value) int) {
	if n.Width > 64 {
		words := lo.woven(n)
		lo.wide[n.Out] = words
		if n.Out.Stored && lo.err == nil {
			lo.k.StoreWords(placeOf(n.Out), words, lo.use, group(n.Out))
		}
		return
	}
	x := lo.node(n)
	lo.local[n.Out] = x
	if n.Out.Stored && lo.err == nil {
		lo.k.Store(placeOf(n.Out), x, lo.use, group(n.Out))
	}
}

// sizeOf is that of the words in which all of u can be computed.
func sizeOf(u *plan.Unit) int {
	if copied(u) {
		return 32
	}
	size := 8
	for size < 64 && u.Lanes*size < 128 { // the shortest vector
		size *= 2
	}
	for _, n := range u.Nodes {
		for i, a := range n.Args {
			if i == 1 && a.K != nil && (n.Code == ir.Shl || n.Code == ir.ShrU || n.Code == ir.ShrS) {
				continue // of a constant what counts is small
			}
			if n.Code == ir.Slice && a.V != nil && !slices.Contains(u.Nodes, a.V.Node) {
				size = max(size, sliceBits(n))
				continue
			}
			size = max(size, plan.ElemBits(a.Width))
			if a.Same(u.Lanes) {
				size = max(size, a.V.LaneBits())
			}
		}
		if n.List != nil {
			if n.List.InRow(n) {
				size = max(size, 16, plan.ElemBits(n.Width+7))
			}
			size = max(size, plan.ElemBits(n.List.V.Width), n.List.V.LaneBits())
		}
		for _, r := range n.Moves {
			if r.V != nil {
				size = max(size, r.V.LaneBits())
			}
		}
		switch n.Code {
		case ir.Shl, ir.ShrU, ir.ShrS, ir.Mul, ir.SExt, ir.LtS:
			size = max(size, 16)
		case ir.MemRead:
			size = max(size, 32)
		}
		size = max(size, plan.ElemBits(n.Width), n.Out.LaneBits())
	}
	return size
}

// node returns the result of n, a mask if that has one bit.
func (lo *lowering) node(n *plan.Node) kernel.Value {
	x := lo.value(n)
	if n.Width == 1 && !lo.k.IsMask(x) {
		return lo.k.Test(x, 1)
	}
	return x
}

// value returns the result of n as a mask or as words.
func (lo *lowering) value(n *plan.Node) kernel.Value {
	switch {
	case n.Moves != nil:
		return lo.gathered(n)
	case n.List != nil:
		return lo.listed(n)
	case n.Nout > 1 || n.When != nil:
		return lo.fail("a result of %d lanes of %d bits for each lane", n.Nout, n.Width)
	case n.Mem != nil:
		return lo.read(n)
	case n.Code == ir.Slice:
		return lo.slice(n)
	case n.Code == ir.Mux:
		return lo.mux(n)
	}
	switch {
	case n.Wide() && n.Width == 1:
		return lo.wovenMask(n)
	case n.Wide():
		return lo.woven(n)[0]
	}
	if l := n.Adjacent(); l != nil {
		return lo.joined(l.V, n.Width)
	}
	narrow := n.Width == 1
	for _, a := range n.Args {
		narrow = narrow && a.Width == 1
	}
	if narrow {
		return lo.bitwise(n)
	}
	return lo.compute(n)
}
