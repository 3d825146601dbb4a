package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// leading returns the number of operands of a listed operator that precede its list.
func leading(code ir.Op) (n int, listed bool) {
	switch code {
	case ir.Update:
		return 2, true
	case ir.Elem, ir.EqLanes, ir.Select, ir.Route:
		return 1, true
	}
	return 0, false
}

// unrolled is the maximum length of a list whose elements become separate operands.
const unrolled = 4

// connect sets the operands of n from the operations g, one operation for each lane.
func (p *Plan) connect(n *Node, g []int) {
	ops := make([]*netlist.Op, len(g))
	for l, i := range g {
		ops[l] = &p.D.Ops[i]
	}
	arg := func(k int) Operand {
		return p.operand(n.Lanes, int(p.D.Width[ops[0].Args[k]]), func(l int) Ref { return p.where[ops[l].Args[k]] })
	}
	lead, listed := leading(n.Code)
	count := len(ops[0].Args)
	element := func(l, k int) Ref {
		if n.Code == ir.Concat { // the most significant operand is first
			k = count - 1 - k
		}
		return p.where[ops[l].Args[lead+k]]
	}
	if count > 1 && (n.Code == ir.Or || n.Code == ir.Concat && p.even(ops[0])) {
		v := view(n.Lanes, count, element)
		listed = v != nil && v.V.Bits() && v.V.Lanes != n.Lanes || count > unrolled && (v != nil || p.loops)
	}
	if !listed {
		lead = count
	}
	for k := range lead {
		n.Args = append(n.Args, arg(k))
	}
	if listed {
		n.List = p.list(n.Lanes, count-lead, int(p.D.Width[ops[0].Args[lead]]), element)
	}
	switch n.Code {
	case ir.Slice:
		lo, ok := Fit(n.Lanes, func(l int) int { return int(ops[l].Lo) })
		if !ok {
			panic("gosim: irregular slices")
		}
		n.Lo = lo
		p.viewBits(n)
	case ir.MemRead:
		n.Mem, n.MemAt = p.memory(n.Lanes, func(l int) int { return int(ops[l].Lo) })
	}
	p.straighten(n)
}

// even reports whether all operands of a concatenation have the same width.
func (p *Plan) even(op *netlist.Op) bool {
	for _, a := range op.Args {
		if p.D.Width[a] != p.D.Width[op.Args[0]] {
			return false
		}
	}
	return true
}

// memory returns the memory that all lanes read, and the lane of the memory for each of them.
func (p *Plan) memory(lanes int, of func(int) int) (*Memory, Form) {
	m := p.MemAt[of(0)].M
	at, ok := Fit(lanes, func(l int) int { return p.MemAt[of(l)].lane })
	for l := range lanes {
		ok = ok && p.MemAt[of(l)].M == m
	}
	if !ok {
		panic("gosim: irregular use of a memory")
	}
	return m, at
}

// operand returns an operand that matches the references of all lanes. It gathers them into a new
// value if there is no pattern.
func (p *Plan) operand(lanes, width int, of func(int) Ref) Operand {
	first := of(0)
	constant, single, equal := true, true, true
	for l := range lanes {
		r := of(l)
		constant = constant && r.V == nil
		single = single && r.V == first.V && r.V != nil
		equal = equal && r.V == nil && slices.Equal(r.K, first.K)
	}
	o := Operand{Width: width}
	switch {
	case equal:
		o.K = first.K
		return o
	case constant:
		for l := range lanes {
			o.Ks = append(o.Ks, of(l).K)
		}
		return o
	case single:
		o.V = first.V
		at, ok := Fit(lanes, func(l int) int { return of(l).Lane })
		if ok {
			o.At = at
			return o
		}
		if !o.V.Bits() {
			for l := range lanes {
				o.Table = append(o.Table, of(l).Lane)
			}
			return o
		}
	}
	o.V, o.At = p.gather(lanes, width, of), Identity
	return o
}

// view returns the list of elements that each lane reads, or nil if they have no regular pattern.
func view(lanes, n int, of func(l, k int) Ref) *List {
	first := of(0, 0)
	stride := 0
	if n > 1 {
		stride = of(0, 1).Lane - first.Lane
	}
	if first.V == nil || first.V.Bits() && n > 1 && stride != 1 {
		return nil
	}
	for l := range lanes {
		base := of(l, 0)
		for k := range n {
			if r := of(l, k); r.V != first.V || r.Lane != base.Lane+k*stride {
				return nil
			}
		}
	}
	base, ok := Fit(lanes, func(l int) int { return of(l, 0).Lane })
	if !ok {
		return nil
	}
	return &List{V: first.V, N: n, Stride: stride, Base: base}
}

// list returns a list of the elements. It gathers them into a new value if they have no regular
// pattern.
func (p *Plan) list(lanes, n, width int, of func(l, k int) Ref) *List {
	if l := view(lanes, n, of); l != nil {
		return l
	}
	v := p.gather(lanes*n, width, func(l int) Ref { return of(l/n, l%n) })
	return &List{V: v, N: n, Stride: 1, Base: scaled(n)}
}

// gather returns a value whose lanes are copies of the given references.
func (p *Plan) gather(lanes, width int, of func(int) Ref) *Value {
	moves := make([]Ref, lanes)
	var text strings.Builder
	fmt.Fprint(&text, width)
	for l := range moves {
		moves[l] = of(l)
		if r := moves[l]; r.V != nil {
			fmt.Fprint(&text, ",", r.V.ID, ".", r.Lane)
		} else {
			fmt.Fprint(&text, ",", r.K)
		}
	}
	key := text.String()
	if v := p.gathers[key]; v != nil {
		return v
	}
	n := &Node{id: len(p.nodes), Code: ir.VecOf, Lanes: lanes, Nout: 1, Width: width, Moves: moves}
	n.Out = p.newValue(width, lanes)
	n.Out.Node = n
	p.nodes = append(p.nodes, n)
	p.gathers[key] = n.Out
	return n.Out
}

// copied returns the result of a new node that copies o, at a place in the design.
func (p *Plan) copied(lanes, width int, o Operand, place string) *Value {
	n := p.newNode(ir.Or, lanes, width, o)
	n.Place = place
	return n.Out
}

// placeOf returns the place of a register in the design. Nodes for the register get that place, so
// that they share a unit with their neighbours and not with copies for unrelated registers.
func (p *Plan) placeOf(r *Regs) string { return p.D.Regs[r.List[0]].Copy.Place }
