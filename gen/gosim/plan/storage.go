package plan

import "slices"

// MemMark is the first mark of a memory. Marks of units start at 0, followed by the mark of the
// outputs.
const MemMark = 1 << 24

// CommitMark is the first mark of a commit.
const CommitMark = 1 << 28

// storage decides which values have storage, and records their readers, which must be notified of
// changes.
func (p *Plan) storage() {
	p.Readers = map[*Value][]int{}
	if p.Immediate {
		p.local()
		return
	}
	read := func(v *Value, mark int) {
		if v != nil {
			v.Stored = v.Port == ""
			p.Readers[v] = append(p.Readers[v], mark)
		}
	}
	for _, u := range p.Units {
		for _, n := range u.Nodes {
			n.Uses(func(v *Value, same bool) {
				if v.Node == nil || v.Node.Unit != u || !same {
					read(v, u.ID)
				}
			})
			if n.Mem != nil {
				n.Mem.Readers = append(n.Mem.Readers, u.ID)
			}
			if u.Kind == Alone {
				n.Out.Stored = true
			}
		}
	}
	for _, m := range p.Mems {
		for _, w := range m.Writes {
			for _, o := range w.Operands() {
				read(o.V, MemMark+m.ID)
			}
		}
	}
	for _, refs := range p.Outputs {
		for _, r := range refs {
			read(r.V, len(p.Units))
		}
	}
	p.conditional(func(r *Regs) {
		if u := r.D.V.Node.Unit; r.Mask.Node.Unit != u {
			read(r.Mask, u.ID)
		}
	})
	p.Commits = map[*Unit]int{}
	for _, r := range p.Regs {
		r.D.V.Stored = true
		u := r.D.V.Node.Unit
		if _, ok := p.Commits[u]; !ok {
			p.Commits[u] = len(p.Commits)
		}
		if r.Mask == nil {
			continue
		}
		r.Mask.Stored = true
		if r.Mask.Node.Unit != u { // lanes that were committed before take the same value again
			read(r.Mask, CommitMark+p.Commits[u])
		}
	}
	for v, marks := range p.Readers {
		slices.Sort(marks)
		p.Readers[v] = slices.Compact(marks)
	}
}

// conditional calls f for each node that only one register of a single lane reads, if the register
// has a mask. Such a node is computed only when the register takes a new value.
func (p *Plan) conditional(f func(r *Regs)) {
	uses := map[*Value]int{}
	for _, u := range p.Units {
		for _, n := range u.Nodes {
			n.Uses(func(v *Value, _ bool) { uses[v]++ })
		}
	}
	p.roots(func(v *Value) { uses[v]++ })
	for _, r := range p.Regs {
		if r.Mask == nil || r.Q.Lanes > 1 || r.Mask.Node == nil {
			continue
		}
		if u := r.D.V.Node.Unit; uses[r.D.V] == 1 && u.Kind == Scalar && r.Mask.Node.Unit.ID <= u.ID {
			f(r)
		}
	}
}

// local stores values of the only unit of a design if their users read them across lanes.
func (p *Plan) local() {
	for _, r := range p.Regs {
		r.D.V.Stored = r.Q.Lanes > 1
		if r.Clear != nil {
			r.Clear.Stored = false
		}
	}
	edge := p.Units[len(p.Units)-1]
	p.roots(func(v *Value) { v.Stored = v.Stored || v.Node != nil && v.Node.Unit != edge })
	for _, n := range p.nodes {
		n.Out.Stored = n.Out.Stored || n.class().kind == Alone
		n.Uses(func(v *Value, same bool) {
			outside := v.Node != nil && v.Node.Unit != n.Unit
			v.Stored = v.Stored || (outside || !same) && v.Port == ""
		})
	}
}
