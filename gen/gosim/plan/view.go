package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// viewBits turns a node that extracts single bits of values into a rearrangement of the bits of
// their storage, if the rearrangement is simple. Otherwise it is faster to extract the same bit of
// several fields at a time.
func (p *Plan) viewBits(n *Node) {
	a := n.Args[0]
	if n.Width != 1 || n.Lanes < 8 || n.Unpacks() > 0 || a.V == nil || a.Table != nil {
		return
	}
	if v := a.V; v.Lanes > 1 && (v.LaneBits() != v.Width && v.Width%64 != 0 || v.Width*v.Lanes%64 != 0) || v.Width == 1 {
		return
	}
	view := p.viewOf(a.V)
	moves := make([]Ref, n.Lanes)
	for l := range moves {
		moves[l] = Ref{V: view, Lane: a.At.At(l)*a.V.Width + n.Lo.At(l)}
	}
	for w := 0; w < n.Lanes; w += 64 {
		part := moves[w:min(w+64, n.Lanes)]
		if _, ok := Binary(part); !ok && len(Runs(part, 0)) > 1 {
			return
		}
	}
	n.Code, n.Args, n.Moves = ir.VecOf, nil, moves
}

// viewOf returns v as an array of bits.
func (p *Plan) viewOf(v *Value) *Value {
	if p.views[v] == nil {
		p.views[v] = &Value{ID: v.ID, Width: 1, Lanes: v.Width * v.Lanes, Node: v.Node, Of: v}
	}
	return p.views[v]
}
