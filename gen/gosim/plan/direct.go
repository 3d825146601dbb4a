package plan

// direct has units read inputs where users put them. A design of a single unit reads all
// of them there, and is evaluated, and fills its outputs, after every clock edge and every
// change of inputs: in one so small, comparing each register would cost as much. Quiet still
// finds out whether an edge changes anything. In others, inputs stay in place that no loop
// over lanes reads: kernels read what is in the state.
func (p *Plan) direct() {
	p.Immediate = p.single()
	inState := map[*Value]bool{}
	if !p.Immediate {
		inState = p.readByLoops()
	}
	for i, v := range p.Inputs {
		if v == nil || inState[v] || !p.Immediate && (v.Lanes > 1 || v.Words() > mostInPlace) {
			continue
		}
		v.Stored, v.Port = false, "s.In."+p.Names[i]
		v.Only = v.Lanes == 1 && p.D.Ports[i].Sig.Type.IsVec()
	}
}

// mostInPlace is the greatest number of words of an input that cost less to compare, all of them
// in every cycle, than to find out first whether any has changed.
const mostInPlace = 8

// single tells whether the design is a single unit that can read its inputs in place. Lanes of
// bits would need another form.
func (p *Plan) single() bool {
	if len(p.Units) != 1 || p.Units[0].Kind != Scalar {
		return false
	}
	for _, v := range p.Inputs {
		if v != nil && v.Bits() {
			return false
		}
	}
	return true
}

// readByLoops are the values that units of lanes or writes to memories read.
func (p *Plan) readByLoops() map[*Value]bool {
	found := map[*Value]bool{}
	for _, u := range p.Units {
		for _, n := range u.Nodes {
			if u.Kind == Loop || u.Kind == Packed || n.Moves != nil {
				n.Uses(func(v *Value, _ bool) { found[v] = true })
			}
		}
	}
	for _, m := range p.Mems {
		for _, w := range m.Writes {
			for _, o := range w.Operands() {
				found[o.V] = true
			}
		}
	}
	return found
}

// Changeable are the marks of memories that inputs may make necessary to write.
func (p *Plan) Changeable() (marks []int) {
	for _, v := range p.Inputs {
		if v != nil && p.Immediate {
			for _, m := range p.Readers[v] {
				if m >= MemMark {
					marks = append(marks, m)
				}
			}
		}
	}
	return marks
}
