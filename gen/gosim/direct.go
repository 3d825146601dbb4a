package gosim

// direct has a design of a single unit read its inputs where users put them, and
// evaluates it, and fills its outputs, after every clock edge and every change of
// inputs: in one so small, comparing each register would cost as much. Quiet still
// finds out whether an edge changes anything. Lanes of bits would need another form.
func (p *plan) direct() {
	if len(p.units) != 1 || p.units[0].kind != scalar {
		return
	}
	for _, v := range p.inputs {
		if v != nil && v.bits() {
			return
		}
	}
	for i, v := range p.inputs {
		if v == nil {
			continue
		}
		v.stored, v.port = false, "s.In."+p.names[i]
		v.only = v.lanes == 1 && p.d.Ports[i].Sig.Type.IsVec()
	}
	p.immediate = true
}

// changeable are the marks of memories that inputs may make necessary to write.
func (p *plan) changeable() (marks []int) {
	for _, v := range p.inputs {
		if v != nil && p.immediate {
			for _, m := range p.readers[v] {
				if m >= memMark {
					marks = append(marks, m)
				}
			}
		}
	}
	return marks
}
