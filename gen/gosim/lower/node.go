package lower

import (
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Node adds n and returns its result, a mask if it has one bit.
func (lo *Builder) Node(n *plan.Node) kernel.Value {
	x := lo.value(n)
	if n.Width == 1 && !lo.Kernel.IsMask(x) {
		return lo.Kernel.Test(x, 1)
	}
	return x
}

// value returns the result of n as a mask or as words.
func (lo *Builder) value(n *plan.Node) kernel.Value {
	switch {
	case n.Moves != nil:
		return lo.gathered(n)
	case n.List != nil:
		return lo.listed(n)
	case n.Nout > 1:
		return lo.Fail("a result of %d lanes of %d bits for each lane", n.Nout, n.Width)
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
