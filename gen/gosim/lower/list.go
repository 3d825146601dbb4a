package lower

import (
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// listed is an operation on few elements.
func (lo *lowering) listed(n *plan.Node) kernel.Value {
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
	return lo.fail("%d elements of %d bits, a result of %d", l.N, l.V.Width, n.Width)
}

// elements is an operation on the elements of a list.
func (lo *lowering) elements(n *plan.Node) kernel.Value {
	k, count := lo.k, n.List.N
	narrow := n.Width == 1 && n.Code != ir.EqLanes
	x := k.Const(0)
	if narrow {
		x = lo.mask(plan.Never)
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
			x = k.Do(kernel.MaskOr, x, lo.mask(o))
		case n.Code == ir.Or:
			x = k.Or(x, lo.word(o))
		case narrow:
			x = k.Do(kernel.MaskOr, x, k.Do(kernel.MaskAnd, lo.chosen(n, i), lo.mask(o)))
		default:
			x = k.Or(x, k.Keep(lo.chosen(n, i), lo.word(o)))
		}
	}
	return x
}

// elementOf is element i of the list of each of so many lanes.
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

// equal tells where two operands are.
func (lo *lowering) equal(a, b plan.Operand) kernel.Value {
	if a.Width > 1 {
		return lo.k.Do(kernel.Equal, lo.word(a), lo.word(b))
	}
	return lo.k.Do(kernel.MaskNot, lo.k.Do(kernel.MaskXor, lo.mask(a), lo.mask(b)))
}

// chosen tells where n, a choice among elements, takes element i.
func (lo *lowering) chosen(n *plan.Node, i int) kernel.Value {
	k, by := lo.k, n.Args[0]
	switch {
	case by.Width == 1 && (i > 0 || n.Code == ir.Select):
		return lo.mask(by)
	case by.Width == 1:
		return k.Do(kernel.MaskNot, lo.mask(by))
	case n.Code == ir.Select:
		return k.Test(lo.word(by), 1<<i)
	}
	return k.Do(kernel.Equal, lo.word(by), k.Const(uint64(i)))
}
