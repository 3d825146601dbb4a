package gosim

import "github.com/hotline-rtl/hotline/hw/ir"

// viewBits makes a node that takes single bits of values a rearrangement of the
// bits of their storage, if it is a simple one. The same bit of each of many fields
// is better taken from several of them at a time.
func (p *plan) viewBits(n *node) {
	a := n.args[0]
	if n.width != 1 || n.lanes < 8 || n.unpacks() > 0 || a.v == nil || a.table != nil {
		return
	}
	if v := a.v; v.lanes > 1 && (v.laneBits() != v.width && v.width%64 != 0 || v.width*v.lanes%64 != 0) || v.width == 1 {
		return
	}
	view := p.viewOf(a.v)
	moves := make([]ref, n.lanes)
	for l := range moves {
		moves[l] = ref{v: view, lane: a.at.at(l)*a.v.width + n.lo.at(l)}
	}
	for w := 0; w < n.lanes; w += 64 {
		part := moves[w:min(w+64, n.lanes)]
		if _, ok := binary(part); !ok && len(runs(part, 0)) > 1 {
			return
		}
	}
	n.code, n.args, n.moves = ir.VecOf, nil, moves
}

// viewOf is v as an array of bits.
func (p *plan) viewOf(v *value) *value {
	if p.views[v] == nil {
		p.views[v] = &value{id: v.id, width: 1, lanes: v.width * v.lanes, node: v.node, of: v}
	}
	return p.views[v]
}
