package plan

// sorted returns the nodes that are in use, operands before users.
func (p *Plan) sorted() []*Node {
	var out []*Node
	state := map[*Node]bool{}
	var visit func(n *Node)
	visit = func(n *Node) {
		if state[n] {
			return
		}
		state[n] = true
		n.Uses(func(v *Value, _ bool) {
			if v.Node != nil {
				visit(v.Node)
			}
		})
		out = append(out, n)
	}
	p.roots(func(v *Value) {
		if v.Node != nil {
			visit(v.Node)
		}
	})
	return out
}

// roots calls f for each value that registers, memories, assertions and outputs read.
func (p *Plan) roots(f func(v *Value)) {
	p.shown(f)
	for _, r := range p.Regs {
		if r.Mask != nil {
			f(r.Mask)
		}
		if r.Clear != nil {
			f(r.Clear)
		}
		f(r.D.V)
	}
	for _, m := range p.Mems {
		for _, w := range m.Writes {
			for _, o := range w.Operands() {
				if o.V != nil {
					f(o.V)
				}
			}
		}
	}
	for _, c := range p.Checks {
		f(c.Fail)
	}
}

// shown calls f for each value that outputs read.
func (p *Plan) shown(f func(v *Value)) {
	for _, refs := range p.Outputs {
		for _, r := range refs {
			if r.V != nil {
				f(r.V)
			}
		}
	}
}
