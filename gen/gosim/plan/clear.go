package plan

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// clears sets the reset conditions of registers that a condition resets. A condition has one lane
// if all lanes share it. A condition is computed before the edge and does not change at the edge.
// While it is 0, it costs one test per cycle.
func (p *Plan) clears() {
	made := map[string]*Value{}
	for _, r := range p.Regs {
		net := func(l int) netlist.Net { return p.D.Regs[r.List[l]].Clear }
		if net(0) == netlist.None {
			continue
		}
		lanes := 1
		for l := range r.Q.Lanes {
			if net(l) != net(0) {
				lanes = r.Q.Lanes
			}
		}
		o := p.operand(lanes, 1, func(l int) Ref { return p.where[net(l)] })
		key := fmt.Sprint(lanes, " ", o.key())
		if made[key] == nil {
			made[key] = p.copied(lanes, 1, o, p.placeOf(r))
			made[key].Stored = true
		}
		r.Clear = made[key]
	}
}

// Cleared returns the registers of each condition.
func (p *Plan) Cleared() [][]*Regs {
	var out [][]*Regs
	at := map[*Value]int{}
	for _, r := range p.Regs {
		if r.Clear == nil || p.Immediate {
			continue
		}
		if _, ok := at[r.Clear]; !ok {
			at[r.Clear] = len(out)
			out = append(out, nil)
		}
		out[at[r.Clear]] = append(out[at[r.Clear]], r)
	}
	return out
}

// CommitsOf returns the marks of the commits of registers. When their condition ends, the registers
// take next values that may not have changed.
func (p *Plan) CommitsOf(list []*Regs) []int {
	var marks []int
	for _, r := range list {
		marks = append(marks, CommitMark+p.Commits[r.D.V.Node.Unit])
	}
	return marks
}

// Committed returns the registers of each commit.
func (p *Plan) Committed() [][]*Regs {
	out := make([][]*Regs, len(p.Commits))
	for _, r := range p.Regs {
		if p.Immediate {
			return nil
		}
		i := p.Commits[r.D.V.Node.Unit]
		out[i] = append(out[i], r)
	}
	return out
}
