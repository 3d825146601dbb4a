package plan

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// sink moves nodes that only one later unit uses into that unit, so that they need no storage. Each
// unit that uses a cheap node gets a copy of it. Batches of instances have no such copies: their
// kernels for whole cycles have no units and would compute each copy.
func (p *Plan) sink() {
	s := &sinking{p: p, users: map[*Node][]*Node{}, fixed: map[*Node]bool{}}
	p.roots(func(v *Value) {
		if v.Node != nil {
			s.fixed[v.Node] = true
		}
	})
	for _, n := range p.nodes {
		n.Uses(func(v *Value, same bool) {
			if v.Node == nil {
				return
			}
			s.users[v.Node] = append(s.users[v.Node], n)
			if !same {
				s.fixed[v.Node] = true
			}
		})
	}
	for _, u := range slices.Backward(p.Units) {
		if u.Kind == Alone {
			continue
		}
		for _, n := range slices.Backward(slices.Clone(u.Nodes)) {
			s.move(n)
		}
	}
	p.Units = slices.DeleteFunc(p.Units, func(u *Unit) bool { return len(u.Nodes) == 0 })
	order := map[*Node]int{}
	for i, n := range p.sorted() {
		order[n] = i
	}
	p.number()
	for _, u := range p.Units {
		// Values that are used together are computed together, so that they fit in the registers of
		// the processor.
		slices.SortFunc(u.Nodes, func(a, b *Node) int { return order[a] - order[b] })
	}
}

type sinking struct {
	p     *Plan
	users map[*Node][]*Node
	fixed map[*Node]bool // used across lanes or at a clock edge
}

func (s *sinking) move(n *Node) {
	if s.fixed[n] || len(s.users[n]) == 0 {
		return
	}
	var units []*Unit
	for _, u := range s.users[n] {
		to := u.Unit
		if to.Kind != n.Unit.Kind || to.Lanes != n.Unit.Lanes || to.Elem != n.Unit.Elem || to.Kind == Loop && to.Mask != n.Unit.Mask && n.Unit.Mask != nil {
			return
		}
		if !slices.Contains(units, to) {
			units = append(units, to)
		}
	}
	if len(units) > 1 && (!cheap(n) || s.p.ofCopies) || len(units) > 4 {
		return
	}
	home := n.Unit
	for i, to := range units {
		if to == home {
			continue
		}
		c := n
		if i < len(units)-1 || slices.Contains(units, home) {
			c = s.p.copyOf(n)
			for _, u := range s.users[n] {
				if u.Unit == to {
					u.replace(n.Out, c.Out)
				}
			}
		} else {
			home.Nodes = slices.DeleteFunc(home.Nodes, func(x *Node) bool { return x == n })
		}
		c.Unit, c.mask = to, to.Mask
		to.Nodes = slices.Insert(to.Nodes, 0, c)
		c.Uses(func(v *Value, _ bool) {
			if v.Node != nil && c != n {
				s.users[v.Node] = append(s.users[v.Node], c)
			}
		})
	}
}

// cheap reports whether computing n again costs no more than storing it.
func cheap(n *Node) bool {
	if n.List != nil || n.Width > 64 {
		return false
	}
	for _, a := range n.Args {
		if a.Width > 64 {
			return false
		}
	}
	switch n.Code {
	case ir.Slice, ir.ZExt, ir.Not, ir.And, ir.Or, ir.Xor, ir.Add, ir.Sub, ir.Eq, ir.Ne:
		return true
	case ir.Shl:
		return n.Args[0].One()
	case ir.Concat:
		return len(n.Args) <= 3
	}
	return false
}

// copyOf returns a new node that computes the same as n.
func (p *Plan) copyOf(n *Node) *Node {
	c := *n
	c.id = len(p.nodes)
	c.Args = slices.Clone(n.Args)
	c.Out = p.newValue(n.Width, n.Lanes)
	c.Out.Node = &c
	p.nodes = append(p.nodes, &c)
	return &c
}

// replace makes n read to instead of from.
func (n *Node) replace(from, to *Value) {
	for i := range n.Args {
		if n.Args[i].V == from {
			n.Args[i].V = to
		}
	}
}
