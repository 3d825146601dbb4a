package plan

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// narrowShifts makes a slice of the low bits of a wide value shifted to the right
// a shift with a narrow result.
func (p *Plan) narrowShifts() {
	for _, n := range p.nodes {
		if n.Code != ir.Slice || n.Width > 64 || !n.Lo.Constant() || n.Lo.Add != 0 || !n.Args[0].Same(n.Lanes) {
			continue
		}
		if m := n.Args[0].V.Node; m != nil && m.Code == ir.ShrU && m.Width > 64 && m.Lanes == n.Lanes {
			n.Code, n.Args = ir.ShrU, slices.Clone(m.Args)
		}
	}
}
