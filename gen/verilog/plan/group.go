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

// first returns the number of the group's first statement.
func (g *group) first() int {
	at := g.members[0].at[0]
	for _, d := range g.members {
		at = min(at, d.at[0])
	}
	return at
}

// place returns the place of a clocked group: where it begins, or, if it is a pipeline stage,
// after the wires that it takes.
func (g *group) place() int {
	at := g.first()
	if !g.conditional() {
		for _, d := range g.members {
			at = max(at, d.at[0])
		}
	}
	return at
}

// conditional reports whether a member has a conditional assignment.
func (g *group) conditional() bool {
	for _, d := range g.members {
		if d.conditional {
			return true
		}
	}
	return false
}

// lhs returns the signals, or elements of them, that the group drives.
func (g *group) lhs() []ir.LValue {
	var out []ir.LValue
	for _, d := range g.members {
		if d.lhs.Sig != nil {
			out = append(out, d.lhs)
		}
	}
	return out
}

// lastDefault returns the place of a block of wires: the first statement that is more than
// a default.
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
