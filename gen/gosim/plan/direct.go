package plan

// direct makes units read inputs directly from the input structure. If the design is a single unit,
// that unit reads all inputs there. It is evaluated, and its outputs are updated, after every clock
// edge and every change of inputs: comparing each register would cost as much. Quiet still reports
// whether an edge changes anything. In other designs, an input stays in place unless a loop over
// lanes reads it, because kernels read only the state.
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

// mostInPlace is the maximum number of words of an input for which comparing all words in every
// cycle is cheaper than first checking whether any has changed.
const mostInPlace = 8

// single reports whether the design is a single unit that can read its inputs in place. It excludes
// inputs with one-bit lanes, which the state stores differently.
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

// readByLoops returns the values that units of lanes or writes to memories read.
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

// Changeable returns the marks of memories whose writes depend on inputs that are read in place.
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
