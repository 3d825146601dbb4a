package gosim

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir/flat"
)

// clears gives registers that a condition resets that condition, of one lane if it
// is the same for all. It is computed before the edge and does not change there, and
// costs a test per cycle and condition while it is 0.
func (p *plan) clears() {
	made := map[string]*value{}
	for _, r := range p.regs {
		net := func(l int) flat.Net { return p.d.Regs[r.list[l]].Clear }
		if net(0) == flat.None {
			continue
		}
		lanes := 1
		for l := range r.q.lanes {
			if net(l) != net(0) {
				lanes = r.q.lanes
			}
		}
		o := p.operand(lanes, 1, func(l int) ref { return p.where[net(l)] })
		key := fmt.Sprint(lanes, " ", o.key())
		if made[key] == nil {
			made[key] = p.copied(lanes, 1, o)
			made[key].stored = true
		}
		r.clear = made[key]
	}
}

// cleared are the registers of each condition.
func (p *plan) cleared() [][]*regs {
	var out [][]*regs
	at := map[*value]int{}
	for _, r := range p.regs {
		if r.clear == nil {
			continue
		}
		if _, ok := at[r.clear]; !ok {
			at[r.clear] = len(out)
			out = append(out, nil)
		}
		out[at[r.clear]] = append(out[at[r.clear]], r)
	}
	return out
}

// commitsOf are the marks of the commits of registers: when they are cleared no
// more, they take next values that did not change.
func (p *plan) commitsOf(list []*regs) []int {
	var marks []int
	for _, r := range list {
		marks = append(marks, commitMark+p.commits[r.d.v.node.unit])
	}
	return marks
}
