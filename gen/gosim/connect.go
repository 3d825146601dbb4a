package gosim

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/flat"
)

// leading is how many operands of a listed operator stand before its list.
func leading(code ir.Op) (n int, listed bool) {
	switch code {
	case ir.Update:
		return 2, true
	case ir.Elem, ir.EqLanes, ir.Select, ir.Route:
		return 1, true
	}
	return 0, false
}

// unrolled is the longest list whose elements are operands of their own.
const unrolled = 4

// connect finds the operands of n, of the operations g.
func (p *plan) connect(n *node, g []int) {
	ops := make([]*flat.Op, len(g))
	for l, i := range g {
		ops[l] = &p.d.Ops[i]
	}
	arg := func(k int) operand {
		return p.operand(n.lanes, int(p.d.Width[ops[0].Args[k]]), func(l int) ref { return p.where[ops[l].Args[k]] })
	}
	lead, listed := leading(n.code)
	count := len(ops[0].Args)
	if n.code == ir.Or && count > unrolled || n.code == ir.Concat && count > unrolled && p.even(ops[0]) {
		listed = true
	}
	element := func(l, k int) ref {
		if n.code == ir.Concat { // the most significant stands first
			k = count - 1 - k
		}
		return p.where[ops[l].Args[lead+k]]
	}
	if !listed && count > 1 && (n.code == ir.Or || n.code == ir.Concat && p.even(ops[0])) {
		v := view(n.lanes, count, element)
		listed = v != nil && v.v.bits() && v.v.lanes != n.lanes
	}
	if !listed {
		lead = count
	}
	for k := range lead {
		n.args = append(n.args, arg(k))
	}
	if listed {
		n.list = p.list(n.lanes, count-lead, int(p.d.Width[ops[0].Args[lead]]), element)
	}
	switch n.code {
	case ir.Slice:
		lo, ok := fit(n.lanes, func(l int) int { return int(ops[l].Lo) })
		if !ok {
			panic("gosim: irregular slices")
		}
		n.lo = lo
		p.viewBits(n)
	case ir.MemRead:
		n.mem, n.memAt = p.memory(n.lanes, func(l int) int { return int(ops[l].Lo) })
	}
	p.straighten(n)
}

// even tells whether all operands of a concatenation have the same width.
func (p *plan) even(op *flat.Op) bool {
	for _, a := range op.Args {
		if p.d.Width[a] != p.d.Width[op.Args[0]] {
			return false
		}
	}
	return true
}

// memory is the memory, and the lane of it, that each lane reads.
func (p *plan) memory(lanes int, of func(int) int) (*memory, form) {
	m := p.memAt[of(0)].m
	at, ok := fit(lanes, func(l int) int { return p.memAt[of(l)].lane })
	for l := range lanes {
		ok = ok && p.memAt[of(l)].m == m
	}
	if !ok {
		panic("gosim: irregular use of a memory")
	}
	return m, at
}

// operand finds the pattern of what each lane reads.
func (p *plan) operand(lanes, width int, of func(int) ref) operand {
	first := of(0)
	constant, single, equal := true, true, true
	for l := range lanes {
		r := of(l)
		constant = constant && r.v == nil
		single = single && r.v == first.v && r.v != nil
		equal = equal && r.v == nil && slices.Equal(r.k, first.k)
	}
	o := operand{width: width}
	switch {
	case equal:
		o.k = first.k
		return o
	case constant:
		for l := range lanes {
			o.ks = append(o.ks, of(l).k)
		}
		return o
	case single:
		o.v = first.v
		at, ok := fit(lanes, func(l int) int { return of(l).lane })
		if ok {
			o.at = at
			return o
		}
		if !o.v.bits() {
			for l := range lanes {
				o.table = append(o.table, of(l).lane)
			}
			return o
		}
	}
	o.v, o.at = p.gather(lanes, width, of), identity
	return o
}

// view is the pattern of the elements that each lane reads, if they have one.
func view(lanes, n int, of func(l, k int) ref) *list {
	first := of(0, 0)
	stride := 0
	if n > 1 {
		stride = of(0, 1).lane - first.lane
	}
	if first.v == nil || first.v.bits() && n > 1 && stride != 1 {
		return nil
	}
	for l := range lanes {
		base := of(l, 0)
		for k := range n {
			if r := of(l, k); r.v != first.v || r.lane != base.lane+k*stride {
				return nil
			}
		}
	}
	base, ok := fit(lanes, func(l int) int { return of(l, 0).lane })
	if !ok {
		return nil
	}
	return &list{v: first.v, n: n, stride: stride, base: base}
}

// list is the view of the elements, of copies if they have none.
func (p *plan) list(lanes, n, width int, of func(l, k int) ref) *list {
	if l := view(lanes, n, of); l != nil {
		return l
	}
	v := p.gather(lanes*n, width, func(l int) ref { return of(l/n, l%n) })
	return &list{v: v, n: n, stride: 1, base: scaled(n)}
}

// gather is a value whose lanes are copies of others.
func (p *plan) gather(lanes, width int, of func(int) ref) *value {
	moves := make([]ref, lanes)
	var text strings.Builder
	fmt.Fprint(&text, width)
	for l := range moves {
		moves[l] = of(l)
		if r := moves[l]; r.v != nil {
			fmt.Fprint(&text, ",", r.v.id, ".", r.lane)
		} else {
			fmt.Fprint(&text, ",", r.k)
		}
	}
	key := text.String()
	if v := p.gathers[key]; v != nil {
		return v
	}
	n := &node{id: len(p.nodes), code: ir.VecOf, lanes: lanes, nout: 1, width: width, moves: moves}
	n.out = p.newValue(width, lanes)
	n.out.node = n
	p.nodes = append(p.nodes, n)
	p.gathers[key] = n.out
	return n.out
}

// copied is a value that node computes as o.
func (p *plan) copied(lanes, width int, o operand) *value {
	return p.newNode(ir.Or, lanes, width, o).out
}
