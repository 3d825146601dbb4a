package gosim

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// sink moves nodes that only one later unit uses into that unit, so that they
// need no storage, and gives each user of a cheap node a copy of its own.
func (p *plan) sink() {
	s := &sinking{p: p, users: map[*node][]*node{}, fixed: map[*node]bool{}}
	p.roots(func(v *value) {
		if v.node != nil {
			s.fixed[v.node] = true
		}
	})
	for _, n := range p.nodes {
		n.uses(func(v *value, same bool) {
			if v.node == nil {
				return
			}
			s.users[v.node] = append(s.users[v.node], n)
			if !same {
				s.fixed[v.node] = true
			}
		})
	}
	for _, u := range slices.Backward(p.units) {
		if u.kind == alone {
			continue
		}
		for _, n := range slices.Backward(slices.Clone(u.nodes)) {
			s.move(n)
		}
	}
	p.units = slices.DeleteFunc(p.units, func(u *unit) bool { return len(u.nodes) == 0 })
	order := map[*node]int{}
	for i, n := range p.sorted() {
		order[n] = i
	}
	for i, u := range p.units {
		u.id = i
		// What is used together is computed together, so that registers of the
		// processor suffice.
		slices.SortFunc(u.nodes, func(a, b *node) int { return order[a] - order[b] })
	}
}

type sinking struct {
	p     *plan
	users map[*node][]*node
	fixed map[*node]bool // used across lanes or at a clock edge
}

func (s *sinking) move(n *node) {
	if s.fixed[n] || len(s.users[n]) == 0 {
		return
	}
	var units []*unit
	for _, u := range s.users[n] {
		to := u.unit
		if to.kind != n.unit.kind || to.lanes != n.unit.lanes || to.elem != n.unit.elem || to.kind == loop && to.mask != n.unit.mask && n.unit.mask != nil {
			return
		}
		if !slices.Contains(units, to) {
			units = append(units, to)
		}
	}
	if len(units) > 1 && !cheap(n) || len(units) > 4 {
		return
	}
	home := n.unit
	for i, to := range units {
		if to == home {
			continue
		}
		c := n
		if i < len(units)-1 || slices.Contains(units, home) {
			c = s.p.copyOf(n)
			for _, u := range s.users[n] {
				if u.unit == to {
					u.replace(n.out, c.out)
				}
			}
		} else {
			home.nodes = slices.DeleteFunc(home.nodes, func(x *node) bool { return x == n })
		}
		c.unit, c.mask = to, to.mask
		to.nodes = slices.Insert(to.nodes, 0, c)
		c.uses(func(v *value, _ bool) {
			if v.node != nil && c != n {
				s.users[v.node] = append(s.users[v.node], c)
			}
		})
	}
}

// cheap tells whether computing n again costs no more than storing it.
func cheap(n *node) bool {
	if n.list != nil || n.width > 64 {
		return false
	}
	for _, a := range n.args {
		if a.width > 64 {
			return false
		}
	}
	switch n.code {
	case ir.Slice, ir.ZExt, ir.Not, ir.And, ir.Or, ir.Xor, ir.Add, ir.Sub, ir.Eq, ir.Ne:
		return true
	case ir.Shl:
		return n.args[0].one()
	case ir.Concat:
		return len(n.args) <= 3
	}
	return false
}

// copyOf is a node that computes the same as n.
func (p *plan) copyOf(n *node) *node {
	c := *n
	c.id = len(p.nodes)
	c.args = slices.Clone(n.args)
	c.out = p.newValue(n.width, n.lanes)
	c.out.node = &c
	p.nodes = append(p.nodes, &c)
	return &c
}

// replace makes n read to in place of from.
func (n *node) replace(from, to *value) {
	for i := range n.args {
		if n.args[i].v == from {
			n.args[i].v = to
		}
	}
}
