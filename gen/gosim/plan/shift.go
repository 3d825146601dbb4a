package plan

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// narrowShifts replaces the low bits of a wide value shifted to the right by a shift with a narrow
// result.
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

// ConstantAmount returns min(k, width). The Go compiler (1.26) treats a constant of 1<<63 or more
// as negative if it combines the shift with another.
func ConstantAmount(k []uint64, width int) int {
	for _, high := range k[1:] {
		if high != 0 {
			return width
		}
	}
	return int(min(k[0], uint64(width)))
}
