package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// group is a set of targets that share an always block.
type group struct {
	members []*driver
	number  int // orders groups
	// Of wires, once there may be a second member:
	signals signalSet // the members
	reach   signalSet // what they depend on within the cycle
}

func (g *group) first() int {
	at := g.members[0].at[0]
	for _, d := range g.members {
		at = min(at, d.at[0])
	}
	return at
}

// place is where a clocked group stands: where it begins, or, as a pipeline
// stage, behind the wires that it takes.
func (g *group) place() int {
	at := g.first()
	if !g.conditional() {
		for _, d := range g.members {
			at = max(at, d.at[0])
		}
	}
	return at
}

func (g *group) conditional() bool {
	for _, d := range g.members {
		if d.conditional {
			return true
		}
	}
	return false
}

// lhs are the signals, or elements of them, that the group drives.
func (g *group) lhs() []ir.LValue {
	var out []ir.LValue
	for _, d := range g.members {
		if d.lhs.Sig != nil {
			out = append(out, d.lhs)
		}
	}
	return out
}

// lastDefault is where a block of wires stands: at the first statement that is
// more than a default.
func (g *group) lastDefault() int {
	at := -1
	for _, d := range g.members {
		k := d.at[min(1, len(d.at)-1)]
		if at < 0 || k < at {
			at = k
		}
	}
	return at
}
