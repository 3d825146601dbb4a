package gosim

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// mostMasks is the greatest number of masks that are joined to one.
const mostMasks = 4

// masks finds, for nodes that are evaluated lane by lane, the lanes whose
// results are of use.
func (p *plan) masks() {
	m := &masking{p: p, needs: map[*node][]*value{}, all: map[*node]bool{}, joined: map[string]*value{}}
	for _, r := range p.regs {
		m.need(r.d, r.q.lanes, r.mask)
	}
	for _, mem := range p.mems {
		for _, w := range mem.writes {
			var enable *value
			if w.enable.same(w.lanes) && w.enable.v.bits() && maskable(w.lanes) {
				enable = w.enable.v
			}
			m.need(w.enable, w.lanes, nil)
			m.need(w.addr, w.lanes, enable)
			m.need(w.data, w.lanes, enable)
		}
	}
	for _, refs := range p.outputs {
		for _, r := range refs {
			if r.v != nil && r.v.node != nil {
				m.all[r.v.node] = true
			}
		}
	}
	for _, c := range p.checks {
		m.all[c.fail.node] = true
	}
	for _, r := range p.regs {
		if r.mask != nil && r.mask.node != nil {
			m.all[r.mask.node] = true
		}
		if r.clear != nil {
			m.all[r.clear.node] = true
		}
	}
	for _, n := range slices.Backward(p.sorted()) {
		m.choose(n)
	}
}

// masking collects who needs a node.
type masking struct {
	p      *plan
	needs  map[*node][]*value
	all    map[*node]bool
	joined map[string]*value
}

// need notes that lanes of o are read under a mask, or all if it is nil.
func (m *masking) need(o operand, lanes int, mask *value) {
	if o.v == nil || o.v.node == nil {
		return
	}
	n := o.v.node
	if mask == nil || !o.same(lanes) || mask == o.v {
		m.all[n] = true
		return
	}
	if !slices.Contains(m.needs[n], mask) {
		m.needs[n] = append(m.needs[n], mask)
	}
}

// choose fixes the mask of n, whose users have theirs.
func (m *masking) choose(n *node) {
	masks := m.needs[n]
	var mask *value
	if k := n.class().kind; (k == loop || k == packed) && maskable(n.lanes) && !m.all[n] && len(masks) > 0 && len(masks) <= mostMasks && !n.neededFor(masks) {
		mask = m.join(n.lanes, masks)
		if k == loop { // words of lanes are evaluated whole
			n.mask = mask
		}
	}
	for i, a := range n.args {
		if i == 1 && n.class().kind == words && n.code == ir.Mux && n.args[0].masks(n.lanes) {
			m.need(a, n.lanes, n.args[0].v) // so that bits do not need what lies beside them in a word
			continue
		}
		if a.v != nil && a.table == nil && !a.same(n.lanes) {
			m.spread(n, mask, a.v, 1, func(l, _ int) int { return a.at.at(l) })
			continue
		}
		m.need(a, n.lanes, mask)
	}
	if l := n.list; l != nil {
		m.spread(n, mask, l.v, l.n, func(lane, k int) int { return l.base.at(lane) + k*l.stride })
	}
	for _, r := range n.moves {
		if r.v != nil && r.v.node != nil {
			m.all[r.v.node] = true
		}
	}
}

// neededFor tells whether n is an operand, at any distance, of some values. A mask of n must not be
// one: n may decide about a choice and be chosen by another.
func (n *node) neededFor(values []*value) bool {
	met := map[*node]bool{}
	var visit func(v *value) bool
	visit = func(v *value) (found bool) {
		x := v.node
		if x == nil || met[x] {
			return false
		}
		met[x] = true
		if x == n {
			return true
		}
		x.uses(func(v *value, _ bool) { found = found || visit(v) })
		return found
	}
	return slices.ContainsFunc(values, visit)
}

// masks tells whether o can be a mask of so many lanes.
func (o operand) masks(lanes int) bool {
	return o.same(lanes) && o.v.node != nil && o.v.bits() && maskable(lanes)
}

// spread notes that lane l of n reads lanes at(l, 0) to at(l, count-1) of v. The
// mask of n becomes one of v if every lane of v has one reader.
func (m *masking) spread(n *node, mask, v *value, count int, at func(l, k int) int) {
	if v.node == nil {
		return
	}
	if mask == nil || n.lanes*count != v.lanes || v.bits() || v.node.nout > 1 || !maskable(v.lanes) || m.all[v.node] {
		m.all[v.node] = true
		return
	}
	reader := make([]int, v.lanes)
	for i := range reader {
		reader[i] = -1
	}
	for l := range n.lanes {
		for k := range count {
			reader[at(l, k)] = l
		}
	}
	if slices.Contains(reader, -1) {
		m.all[v.node] = true
		return
	}
	wide := m.p.gather(v.lanes, 1, func(l int) ref { return ref{v: mask, lane: reader[l]} })
	m.need(operand{v: v, at: identity, width: v.width}, v.lanes, wide)
}

// join is the union of masks.
func (m *masking) join(lanes int, masks []*value) *value {
	if len(masks) == 1 {
		return masks[0]
	}
	slices.SortFunc(masks, func(a, b *value) int { return a.id - b.id })
	key := ""
	for _, x := range masks {
		key += fmt.Sprint(x.id, " ")
	}
	if v := m.joined[key]; v != nil {
		return v
	}
	var args []operand
	for _, x := range masks {
		args = append(args, operand{v: x, at: identity, width: 1})
	}
	v := m.p.newNode(ir.Or, lanes, 1, args...).out
	m.joined[key] = v
	return v
}
