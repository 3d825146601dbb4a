package gosim

import "slices"

// memMark is the first mark of a memory; below are those of units, after which
// comes that of the outputs.
const memMark = 1 << 24

// commitMark is the first mark of a commit.
const commitMark = 1 << 28

// storage decides which values have storage and who must know when they change.
func (p *plan) storage() {
	p.readers = map[*value][]int{}
	read := func(v *value, mark int) {
		if v != nil {
			v.stored = v.port == ""
			p.readers[v] = append(p.readers[v], mark)
		}
	}
	for _, u := range p.units {
		for _, n := range u.nodes {
			n.uses(func(v *value, same bool) {
				if v.node == nil || v.node.unit != u || !same {
					read(v, u.id)
				}
			})
			if n.mem != nil {
				n.mem.readers = append(n.mem.readers, u.id)
			}
			if u.kind == alone {
				n.out.stored = true
			}
		}
	}
	for _, m := range p.mems {
		for _, w := range m.writes {
			for _, o := range []operand{w.enable, w.addr, w.data} {
				read(o.v, memMark+m.id)
			}
		}
	}
	for _, refs := range p.outputs {
		for _, r := range refs {
			if !p.immediate {
				read(r.v, len(p.units))
			} else if r.v != nil && r.v.node == nil {
				read(r.v, 0)
			}
		}
	}
	p.conditions(read)
	p.commits, p.pending = map[*unit]int{}, map[*unit][]int{}
	for _, r := range p.regs {
		r.d.v.stored = true
		u := r.d.v.node.unit
		if _, ok := p.commits[u]; !ok {
			p.commits[u] = len(p.commits)
			p.pending[u] = append(p.pending[u], p.commits[u])
		}
		if r.mask == nil {
			continue
		}
		r.mask.stored = true
		if n := r.mask.node; n != nil && !slices.Contains(p.pending[n.unit], p.commits[u]) {
			p.pending[n.unit] = append(p.pending[n.unit], p.commits[u])
		}
	}
	for v, marks := range p.readers {
		if p.immediate { // Step marks the unit
			marks = slices.DeleteFunc(marks, func(m int) bool { return m < memMark })
		}
		slices.Sort(marks)
		p.readers[v] = slices.Compact(marks)
	}
}

// conditions finds nodes of a single lane that only a register reads which mostly
// holds its value.
func (p *plan) conditions(read func(*value, int)) {
	uses, order := map[*value]int{}, map[*node]int{}
	for _, u := range p.units {
		for _, n := range u.nodes {
			order[n] = len(order)
			n.uses(func(v *value, _ bool) { uses[v]++ })
		}
	}
	p.roots(func(v *value) { uses[v]++ })
	for _, r := range p.regs {
		if r.mask == nil || r.q.lanes > 1 {
			continue
		}
		n, m := r.d.v.node, r.mask.node
		if uses[n.out] == 1 && n.unit.kind == scalar && m != nil && order[m] < order[n] {
			n.when = r.mask
			if m.unit != n.unit {
				read(r.mask, n.unit.id)
			}
		}
	}
}

// readersOf are the marks of what reads m and is not evaluated anyway.
func (p *plan) readersOf(m *memory) []int {
	if p.immediate {
		return nil
	}
	return m.readers
}
