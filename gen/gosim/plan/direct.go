package plan

// direct makes units read inputs directly from the input structure, unless a loop over lanes reads
// them, because kernels read only the state.
func (p *Plan) direct() {
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
