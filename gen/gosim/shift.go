package gosim

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// narrowShifts makes a slice of the low bits of a wide value shifted to the right
// a shift with a narrow result.
func (p *plan) narrowShifts() {
	for _, n := range p.nodes {
		if n.code != ir.Slice || n.width > 64 || !n.lo.constant() || n.lo.add != 0 || !n.args[0].same(n.lanes) {
			continue
		}
		if m := n.args[0].v.node; m != nil && m.code == ir.ShrU && m.width > 64 && m.lanes == n.lanes {
			n.code, n.args = ir.ShrU, slices.Clone(m.args)
		}
	}
}
