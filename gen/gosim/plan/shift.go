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

// ConstantAmount is k, but at most width: the Go compiler (1.26) takes a constant
// of 1<<63 or more, combined with another shift, for a negative number.
func ConstantAmount(k []uint64, width int) int {
	for _, high := range k[1:] {
		if high != 0 {
			return width
		}
	}
	return int(min(k[0], uint64(width)))
}
