package plan

// direct has a design of a single unit read its inputs where users put them, and
// evaluates it, and fills its outputs, after every clock edge and every change of
// inputs: in one so small, comparing each register would cost as much. Quiet still
// finds out whether an edge changes anything. Lanes of bits would need another form.
func (p *Plan) direct() {
	if len(p.Units) != 1 || p.Units[0].Kind != Scalar {
		return
	}
	for _, v := range p.Inputs {
		if v != nil && v.Bits() {
			return
		}
	}
	for i, v := range p.Inputs {
		if v == nil {
			continue
		}
		v.Stored, v.Port = false, "s.In."+p.Names[i]
		v.Only = v.Lanes == 1 && p.D.Ports[i].Sig.Type.IsVec()
	}
	p.Immediate = true
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
