package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// undecode replaces operations on decoded numbers by shifts, so that decoded numbers need no
// storage. It handles the test of a bit, and setting a bit under a condition. Lanes packed in words
// have no such shifts.
func (p *Plan) undecode() {
	for _, n := range p.nodes {
		switch {
		case n.Code == ir.Ne && n.Args[1].Zero():
			p.bitTest(n)
		case n.Code == ir.Mux && n.Args[2].Zero():
			p.bitSet(n)
		case n.Code == ir.Eq && n.Lanes >= 8 && n.Lanes <= 64:
			p.oneLane(n)
		}
	}
}

// Zero reports whether o is the constant 0 in all lanes.
func (o Operand) Zero() bool {
	for _, w := range o.K {
		if w != 0 {
			return false
		}
	}
	return o.K != nil
}

// One reports whether o is the constant 1 in all lanes.
func (o Operand) One() bool {
	return o.K != nil && o.K[0] == 1 && Operand{K: o.K[1:]}.Zero()
}

// bitTest turns (x & 1<<i) != 0 into a shift of x.
func (p *Plan) bitTest(n *Node) {
	and := n.Args[0].V.MadeBy(ir.And)
	if and == nil || len(and.Args) != 2 || !n.Args[0].Same(n.Lanes) {
		return
	}
	for k := range 2 {
		if i, ok := p.decoded(and.Args[k], n.Lanes); ok {
			n.Code, n.Args = ir.ShrU, []Operand{and.Args[1-k], i}
			return
		}
	}
}

// bitSet turns c ? 1<<i : 0 into a shift of c. If the result is wide, c keeps its width.
func (p *Plan) bitSet(n *Node) {
	i, ok := p.decoded(n.Args[1], n.Lanes)
	switch {
	case ok && n.Width > 64:
		n.Code, n.Args = ir.Shl, []Operand{n.Args[0], i}
	case ok:
		c := p.newNode(ir.ZExt, n.Lanes, n.Width, n.Args[0])
		c.Place = n.Place
		n.Code, n.Args = ir.Shl, []Operand{{V: c.Out, At: Identity, Width: n.Width}, i}
	}
}

// MadeBy returns the node that computes v if its operator is code and it has no list, else nil.
func (v *Value) MadeBy(code ir.Op) *Node {
	if v == nil || v.Node == nil || v.Node.Out != v || v.Node.Code != code || v.Node.List != nil {
		return nil
	}
	return v.Node
}

// decoded returns i if o is the decoded number 1<<i.
func (p *Plan) decoded(o Operand, lanes int) (Operand, bool) {
	n := o.V.MadeBy(ir.Shl)
	if n == nil || !n.Args[0].One() || o.Width <= 32 && lanes > 1 {
		return Operand{}, false
	}
	a := n.Args[1]
	return p.operand(lanes, a.Width, func(l int) Ref { return a.Ref(o.Ref(l).Lane) }), true
}

// oneLane replaces the comparison of a number with a different constant in each lane. The lanes
// become bits of the decoded number.
func (p *Plan) oneLane(n *Node) {
	for k := range 2 {
		x, own := n.Args[k], n.Args[1-k]
		if x.V == nil || x.Table != nil || !x.At.Constant() || own.Ks == nil || x.Width > 6 {
			continue
		}
		d := p.newNode(ir.Shl, 1, 1<<x.Width, Operand{K: []uint64{1}, Width: 1 << x.Width}, x)
		d.Place = n.Place
		view := p.viewOf(d.Out)
		n.Moves = make([]Ref, n.Lanes)
		for l := range n.Moves {
			n.Moves[l] = Ref{V: view, Lane: int(own.Ks[l][0])}
		}
		n.Code, n.Args = ir.VecOf, nil
		return
	}
}
