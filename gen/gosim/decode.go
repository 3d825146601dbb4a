package gosim

import "github.com/hotline-rtl/hotline/hw/ir"

// undecode makes shifts of what is done with decoded numbers, so that these need
// not be stored: the test of a bit, and the setting of one under a condition. Words
// that hold several lanes know no such shifts.
func (p *plan) undecode() {
	for _, n := range p.nodes {
		switch {
		case n.code == ir.Ne && n.args[1].zero():
			p.bitTest(n)
		case n.code == ir.Mux && n.args[2].zero():
			p.bitSet(n)
		case n.code == ir.Eq && n.lanes >= 8 && n.lanes <= 64:
			p.oneLane(n)
		}
	}
}

// zero tells whether o is the constant 0 in all lanes.
func (o operand) zero() bool {
	for _, w := range o.k {
		if w != 0 {
			return false
		}
	}
	return o.k != nil
}

// one tells whether o is the constant 1 in all lanes.
func (o operand) one() bool {
	return o.k != nil && o.k[0] == 1 && operand{k: o.k[1:]}.zero()
}

// bitTest makes (x & 1<<i) != 0 a shift of x.
func (p *plan) bitTest(n *node) {
	and := n.args[0].v.madeBy(ir.And)
	if and == nil || len(and.args) != 2 || !n.args[0].same(n.lanes) {
		return
	}
	for k := range 2 {
		if i, ok := p.decoded(and.args[k], n.lanes); ok {
			n.code, n.args = ir.ShrU, []operand{and.args[1-k], i}
			return
		}
	}
}

// bitSet makes c ? 1<<i : 0 a shift of c, which needs no more bits than it has if the
// result is wide.
func (p *plan) bitSet(n *node) {
	i, ok := p.decoded(n.args[1], n.lanes)
	switch {
	case ok && n.width > 64:
		n.code, n.args = ir.Shl, []operand{n.args[0], i}
	case ok:
		c := p.newNode(ir.ZExt, n.lanes, n.width, n.args[0])
		c.place = n.place
		n.code, n.args = ir.Shl, []operand{{v: c.out, at: identity, width: n.width}, i}
	}
}

// madeBy is the node of this operator that computes v, or nil.
func (v *value) madeBy(code ir.Op) *node {
	if v == nil || v.node == nil || v.node.out != v || v.node.code != code || v.node.list != nil {
		return nil
	}
	return v.node
}

// decoded is the number whose decoding o is.
func (p *plan) decoded(o operand, lanes int) (operand, bool) {
	n := o.v.madeBy(ir.Shl)
	if n == nil || !n.args[0].one() || o.width <= 32 && lanes > 1 {
		return operand{}, false
	}
	a := n.args[1]
	return p.operand(lanes, a.width, func(l int) ref { return a.ref(o.ref(l).lane) }), true
}

// oneLane makes the comparison of a number with a constant in each lane bits of the
// decoded number.
func (p *plan) oneLane(n *node) {
	for k := range 2 {
		x, own := n.args[k], n.args[1-k]
		if x.v == nil || x.table != nil || !x.at.constant() || own.ks == nil || x.width > 6 {
			continue
		}
		d := p.newNode(ir.Shl, 1, 1<<x.width, operand{k: []uint64{1}, width: 1 << x.width}, x)
		d.place = n.place
		view := p.viewOf(d.out)
		n.moves = make([]ref, n.lanes)
		for l := range n.moves {
			n.moves[l] = ref{v: view, lane: int(own.ks[l][0])}
		}
		n.code, n.args = ir.VecOf, nil
		return
	}
}
