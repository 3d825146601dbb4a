package gosim

import (
	"fmt"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// enables finds registers that hold their values in some lanes: they get a mask
// of the lanes that take a new one.
func (p *plan) enables() {
	s := &splitter{p: p, made: map[string]operand{}}
	for _, r := range p.regs {
		if !holds(r.q) {
			continue
		}
		s.r = r
		mask, data := s.split(r.d)
		if mask.k != nil { // always, or never
			continue
		}
		if data.v == nil || data.v.node == nil || !data.same(r.q.lanes) {
			data = operand{v: p.copied(r.q.lanes, r.q.width, data), at: identity, width: r.q.width}
		}
		r.d, r.mask = data, p.wholeMask(r.q.lanes, mask)
	}
}

// holds tells whether it pays to leave lanes of a register alone.
func holds(q *value) bool {
	if q.lanes == 1 {
		return q.words() > 2
	}
	return !q.bits() && maskable(q.lanes)
}

// maskable tells whether a mask of so many lanes is whole words.
func maskable(lanes int) bool { return lanes > 1 && (lanes <= 64 || lanes%64 == 0) }

// wholeMask is a one-bit operand as a value that a node computes: it must not
// change at a clock edge.
func (p *plan) wholeMask(lanes int, o operand) *value {
	if o.same(lanes) && o.v.node != nil {
		return o.v
	}
	return p.copied(lanes, 1, o)
}

// splitter separates when a register takes a value from what it takes.
type splitter struct {
	p    *plan
	r    *regs
	made map[string]operand
}

var always, never = operand{k: []uint64{1}, width: 1}, operand{k: []uint64{0}, width: 1}

func is(o operand, k uint64) bool { return o.width == 1 && o.k != nil && o.k[0] == k }

// split gives the lanes in which o is not the present value of the register, and
// the value there.
func (s *splitter) split(o operand) (mask, data operand) {
	lanes := s.r.q.lanes
	if o.v == s.r.q && o.same(lanes) {
		return never, o
	}
	if o.v == nil || o.v.node == nil || o.v.node.code != ir.Mux || !o.same(lanes) || o.v.node.lanes != lanes {
		return always, o
	}
	n := o.v.node
	c := n.args[0]
	ma, a := s.split(n.args[1])
	mb, b := s.split(n.args[2])
	if is(ma, 1) && is(mb, 1) {
		return always, o
	}
	mask = s.mux(c, ma, mb)
	switch {
	case is(ma, 0):
		return mask, b
	case is(mb, 0):
		return mask, a
	}
	return mask, s.node(ir.Mux, o.width, c, a, b)
}

// mux is a multiplexer of masks.
func (s *splitter) mux(c, a, b operand) operand {
	switch {
	case is(a, 1) && is(b, 0):
		return c
	case is(a, 0) && is(b, 1):
		return s.node(ir.Not, 1, c)
	case is(a, 0) && is(b, 0):
		return never
	case is(a, 1):
		return s.node(ir.Or, 1, c, b)
	case is(b, 0):
		return s.node(ir.And, 1, c, a)
	}
	return s.node(ir.Mux, 1, c, a, b)
}

// node is the result of an operation, which is made once.
func (s *splitter) node(code ir.Op, width int, args ...operand) operand {
	key := fmt.Sprint(code, width, s.r.q.lanes)
	for _, a := range args {
		key += " " + a.key()
	}
	if o, ok := s.made[key]; ok {
		return o
	}
	n := s.p.newNode(code, s.r.q.lanes, width, args...)
	n.place = s.r.d.v.node.place
	o := operand{v: n.out, at: identity, width: width}
	s.made[key] = o
	return o
}

func (o operand) key() string {
	if o.v == nil {
		return fmt.Sprint(o.k, o.ks)
	}
	return fmt.Sprint(o.v.id, o.at, o.table)
}

// newNode is an operation that the design does not have as such.
func (p *plan) newNode(code ir.Op, lanes, width int, args ...operand) *node {
	n := &node{id: len(p.nodes), code: code, lanes: lanes, nout: 1, width: width, args: args}
	n.out = p.newValue(width, lanes)
	n.out.node = n
	p.nodes = append(p.nodes, n)
	p.straighten(n)
	return n
}

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

// sorted are the nodes that something depends on, operands before users.
func (p *plan) sorted() []*node {
	var out []*node
	state := map[*node]bool{}
	var visit func(n *node)
	visit = func(n *node) {
		if state[n] {
			return
		}
		state[n] = true
		n.uses(func(v *value, _ bool) {
			if v.node != nil {
				visit(v.node)
			}
		})
		out = append(out, n)
	}
	p.roots(func(v *value) {
		if v.node != nil {
			visit(v.node)
		}
	})
	return out
}

// roots calls f for what registers, memories, assertions and outputs read.
func (p *plan) roots(f func(v *value)) {
	for _, r := range p.regs {
		if r.mask != nil {
			f(r.mask)
		}
		if r.clear != nil {
			f(r.clear)
		}
		f(r.d.v)
	}
	for _, m := range p.mems {
		for _, w := range m.writes {
			for _, o := range []operand{w.enable, w.addr, w.data} {
				if o.v != nil {
					f(o.v)
				}
			}
		}
	}
	for _, c := range p.checks {
		f(c.fail)
	}
	for _, refs := range p.outputs {
		for _, r := range refs {
			if r.v != nil {
				f(r.v)
			}
		}
	}
}
