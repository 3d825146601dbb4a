package lower

import (
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// listed returns an operation on few elements.
func (lo *Builder) listed(n *plan.Node) kernel.Value {
	l := n.List
	switch {
	case n.Width > 64:
	case n.Joins() > 0, n.Code == ir.Concat && l.Wordwise(n.Lanes) && l.V.Width == l.V.LaneBits():
		return lo.joined(l.V, n.Width)
	case l.InRow(n):
		bits := make([]int, n.Lanes)
		for lane := range bits {
			bits[lane] = l.Base.At(lane)
		}
		return lo.field(l.V, bits, n.Width)
	case plan.Few[n.Code] && l.N <= plan.FewElements:
		return lo.elements(n)
	}
	return lo.Fail("%d elements of %d bits, a result of %d", l.N, l.V.Width, n.Width)
}

// elements returns an operation on the elements of a list.
func (lo *Builder) elements(n *plan.Node) kernel.Value {
	k, count := lo.Kernel, n.List.N
	narrow := n.Width == 1 && n.Code != ir.EqLanes
	x := k.Const(0)
	if narrow {
		x = lo.Mask(plan.Never)
	}
	if n.Code == ir.Elem && n.Args[0].Width < 4 {
		count = min(count, 1<<n.Args[0].Width)
	}
	for i := range count {
		o := elementOf(n.List, i, n.Lanes)
		switch {
		case n.Code == ir.EqLanes:
			x = k.Or(x, k.Keep(lo.equal(n.Args[0], o), k.Const(1<<i)))
		case n.Code == ir.Or && narrow:
			x = k.Do(kernel.MaskOr, x, lo.Mask(o))
		case n.Code == ir.Or:
			x = k.Or(x, lo.Word(o))
		case narrow:
			x = k.Do(kernel.MaskOr, x, k.Do(kernel.MaskAnd, lo.chosen(n, i), lo.Mask(o)))
		default:
			x = k.Or(x, k.Keep(lo.chosen(n, i), lo.Word(o)))
		}
	}
	return x
}

// elementOf returns element i of the list of each lane.
func elementOf(l *plan.List, i, lanes int) plan.Operand {
	at := func(lane int) int { return l.Base.At(lane) + i*l.Stride }
	o := plan.Operand{V: l.V, Width: l.V.Width}
	from, ok := plan.Fit(lanes, at)
	if ok {
		o.At = from
		return o
	}
	o.Table = make([]int, lanes)
	for lane := range o.Table {
		o.Table[lane] = at(lane)
	}
	return o
}

// equal returns a mask of the lanes in which two operands are equal.
func (lo *Builder) equal(a, b plan.Operand) kernel.Value {
	if a.Width > 1 {
		return lo.Kernel.Do(kernel.Equal, lo.Word(a), lo.Word(b))
	}
	return lo.Kernel.Do(kernel.MaskNot, lo.Kernel.Do(kernel.MaskXor, lo.Mask(a), lo.Mask(b)))
}

// chosen returns a mask of the lanes in which n, a choice among elements, selects element i.
func (lo *Builder) chosen(n *plan.Node, i int) kernel.Value {
	k, by := lo.Kernel, n.Args[0]
	switch {
	case by.Width == 1 && (i > 0 || n.Code == ir.Select):
		return lo.Mask(by)
	case by.Width == 1:
		return k.Do(kernel.MaskNot, lo.Mask(by))
	case n.Code == ir.Select:
		return k.Test(lo.Word(by), 1<<i)
	}
	return k.Do(kernel.Equal, lo.Word(by), k.Const(uint64(i)))
}
