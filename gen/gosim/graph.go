package gosim

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
