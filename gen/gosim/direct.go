package gosim

import "fmt"

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
		if v.lanes == 1 && p.d.Ports[i].Sig.Type.IsVec() {
			v.port += "[0]"
		}
	}
	p.immediate = true
}

// portField is the value of an input that is read where users put it.
func (v *value) portField() string {
	switch {
	case v.lanes == 1 && v.width == 1:
		return fmt.Sprintf("bit(%s)", v.port)
	case v.lanes == 1 && v.width <= 64:
		return fmt.Sprintf("uint64(%s)", v.port)
	}
	return v.port
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
