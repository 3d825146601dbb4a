package plan

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// mostMasks is the maximum number of masks that are joined into one.
const mostMasks = 4

// masks determines the lanes whose results are needed, for nodes that are evaluated lane by lane.
func (p *Plan) masks() {
	m := &masking{p: p, needs: map[*Node][]*Value{}, all: map[*Node]bool{}, joined: map[string]*Value{}}
	for _, r := range p.Regs {
		m.need(r.D, r.Q.Lanes, r.Mask)
	}
	for _, mem := range p.Mems {
		for _, w := range mem.Writes {
			var enable *Value
			if w.Enable.Same(w.Lanes) && w.Enable.V.Bits() && maskable(w.Lanes) {
				enable = w.Enable.V
			}
			m.need(w.Enable, w.Lanes, nil)
			m.need(w.Addr, w.Lanes, enable)
			m.need(w.Data, w.Lanes, enable)
		}
	}
	for _, refs := range p.Outputs {
		for _, r := range refs {
			if r.V != nil && r.V.Node != nil {
				m.all[r.V.Node] = true
			}
		}
	}
	for _, c := range p.Checks {
		m.all[c.Fail.Node] = true
	}
	for _, r := range p.Regs {
		if r.Mask != nil && r.Mask.Node != nil {
			m.all[r.Mask.Node] = true
		}
		if r.Clear != nil {
			m.all[r.Clear.Node] = true
		}
	}
	for _, n := range slices.Backward(p.sorted()) {
		m.choose(n)
	}
}

// masking collects the users of each node and their masks.
type masking struct {
	p      *Plan
	needs  map[*Node][]*Value
	all    map[*Node]bool
	joined map[string]*Value
}

// need records that lanes of o are read under a mask, or all lanes if the mask is nil.
func (m *masking) need(o Operand, lanes int, mask *Value) {
	if o.V == nil || o.V.Node == nil {
		return
	}
	n := o.V.Node
	if mask == nil || !o.Same(lanes) || mask == o.V {
		m.all[n] = true
		return
	}
	if !slices.Contains(m.needs[n], mask) {
		m.needs[n] = append(m.needs[n], mask)
	}
}

// choose sets the mask of n. The masks of its users are already set.
func (m *masking) choose(n *Node) {
	masks := m.needs[n]
	var mask *Value
	if k := n.class().kind; (k == Loop || k == Packed) && maskable(n.Lanes) && !m.all[n] && len(masks) > 0 && len(masks) <= mostMasks && !n.neededFor(masks) {
		mask = m.join(n.Lanes, masks)
		if k == Loop { // packed words are evaluated whole
			n.mask = mask
		}
	}
	for i, a := range n.Args {
		if i == 1 && n.class().kind == Words && n.Code == ir.Mux && n.Args[0].masks(n.Lanes) {
			m.need(a, n.Lanes, n.Args[0].V) // a bit does not need its neighbours in the word
			continue
		}
		if a.V != nil && a.Table == nil && !a.Same(n.Lanes) {
			m.spread(n, mask, a.V, 1, func(l, _ int) int { return a.At.At(l) })
			continue
		}
		m.need(a, n.Lanes, mask)
	}
	if l := n.List; l != nil {
		m.spread(n, mask, l.V, l.N, func(lane, k int) int { return l.Base.At(lane) + k*l.Stride })
	}
	for _, r := range n.Moves {
		if r.V != nil && r.V.Node != nil {
			m.all[r.V.Node] = true
		}
	}
}

// neededFor reports whether n is a direct or indirect operand of any of the values. Such a value
// cannot be a mask of n: n may control one choice and be an argument of another.
func (n *Node) neededFor(values []*Value) bool {
	met := map[*Node]bool{}
	var visit func(v *Value) bool
	visit = func(v *Value) (found bool) {
		x := v.Node
		if x == nil || met[x] {
			return false
		}
		met[x] = true
		if x == n {
			return true
		}
		x.Uses(func(v *Value, _ bool) { found = found || visit(v) })
		return found
	}
	return slices.ContainsFunc(values, visit)
}

// masks reports whether o can be a mask of that many lanes.
func (o Operand) masks(lanes int) bool {
	return o.Same(lanes) && o.V.Node != nil && o.V.Bits() && maskable(lanes)
}

// spread records that lane l of n reads lanes at(l, 0) to at(l, count-1) of v. The mask of n
// becomes a mask of v if every lane of v has exactly one reader.
func (m *masking) spread(n *Node, mask, v *Value, count int, at func(l, k int) int) {
	if v.Node == nil {
		return
	}
	if mask == nil || n.Lanes*count != v.Lanes || v.Bits() || v.Node.Nout > 1 || !maskable(v.Lanes) || m.all[v.Node] {
		m.all[v.Node] = true
		return
	}
	reader := make([]int, v.Lanes)
	for i := range reader {
		reader[i] = -1
	}
	for l := range n.Lanes {
		for k := range count {
			reader[at(l, k)] = l
		}
	}
	if slices.Contains(reader, -1) {
		m.all[v.Node] = true
		return
	}
	wide := m.p.gather(v.Lanes, 1, func(l int) Ref { return Ref{V: mask, Lane: reader[l]} })
	m.need(Operand{V: v, At: Identity, Width: v.Width}, v.Lanes, wide)
}

// join returns the union of masks.
func (m *masking) join(lanes int, masks []*Value) *Value {
	if len(masks) == 1 {
		return masks[0]
	}
	slices.SortFunc(masks, func(a, b *Value) int { return a.ID - b.ID })
	key := ""
	for _, x := range masks {
		key += fmt.Sprint(x.ID, " ")
	}
	if v := m.joined[key]; v != nil {
		return v
	}
	var args []Operand
	for _, x := range masks {
		args = append(args, Operand{V: x, At: Identity, Width: 1})
	}
	v := m.p.newNode(ir.Or, lanes, 1, args...).Out
	m.joined[key] = v
	return v
}
