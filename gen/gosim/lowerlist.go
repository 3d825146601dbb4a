package gosim

import (
	"github.com/hotline-rtl/hotline/gen/gosim/kernel"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// listed is an operation on few elements.
func (lo *lowering) listed(n *node) kernel.Value {
	l := n.list
	switch {
	case n.width > 64:
	case n.joins() > 0, n.code == ir.Concat && l.wordwise(n.lanes) && l.v.width == l.v.laneBits():
		return lo.joined(l.v, n.width)
	case l.inRow(n):
		bits := make([]int, n.lanes)
		for lane := range bits {
			bits[lane] = l.base.at(lane)
		}
		return lo.field(l.v, bits, n.width)
	case few[n.code] && l.n <= fewElements:
		return lo.elements(n)
	}
	return lo.fail("%d elements of %d bits, a result of %d", l.n, l.v.width, n.width)
}

// elements is an operation on the elements of a list.
func (lo *lowering) elements(n *node) kernel.Value {
	k, count := lo.k, n.list.n
	narrow := n.width == 1 && n.code != ir.EqLanes
	x := k.Const(0)
	if narrow {
		x = lo.mask(never)
	}
	if n.code == ir.Elem && n.args[0].width < 4 {
		count = min(count, 1<<n.args[0].width)
	}
	for i := range count {
		o := elementOf(n.list, i, n.lanes)
		switch {
		case n.code == ir.EqLanes:
			x = k.Or(x, k.Keep(lo.equal(n.args[0], o), k.Const(1<<i)))
		case n.code == ir.Or && narrow:
			x = k.Do(kernel.MaskOr, x, lo.mask(o))
		case n.code == ir.Or:
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
func elementOf(l *list, i, lanes int) operand {
	at := func(lane int) int { return l.base.at(lane) + i*l.stride }
	o := operand{v: l.v, width: l.v.width}
	from, ok := fit(lanes, at)
	if ok {
		o.at = from
		return o
	}
	o.table = make([]int, lanes)
	for lane := range o.table {
		o.table[lane] = at(lane)
	}
	return o
}

// equal tells where two operands are.
func (lo *lowering) equal(a, b operand) kernel.Value {
	if a.width > 1 {
		return lo.k.Do(kernel.Equal, lo.word(a), lo.word(b))
	}
	return lo.k.Do(kernel.MaskNot, lo.k.Do(kernel.MaskXor, lo.mask(a), lo.mask(b)))
}

// chosen tells where n, a choice among elements, takes element i.
func (lo *lowering) chosen(n *node, i int) kernel.Value {
	k, by := lo.k, n.args[0]
	switch {
	case by.width == 1 && (i > 0 || n.code == ir.Select):
		return lo.mask(by)
	case by.width == 1:
		return k.Do(kernel.MaskNot, lo.mask(by))
	case n.code == ir.Select:
		return k.Test(lo.word(by), 1<<i)
	}
	return k.Do(kernel.Equal, lo.word(by), k.Const(uint64(i)))
}
