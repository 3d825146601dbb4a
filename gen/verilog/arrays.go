package verilog

import "github.com/hotline-rtl/hotline/hw/ir"

// inlineArray translates the operators on memories, arrays and words that are
// expressions in Verilog too.
func (b *builder) inlineArray(e *ir.Expr) expr {
	switch e.Op {
	case ir.MemRead:
		return b.memRead(e)
	case ir.Elem:
		x := b.elem(e)
		if n := e.Args[0].Type.Len; mayExceed(n, e.Args[1]) {
			return &ternary{b.inRange(e.Args[1], n), x, zeros(e.Type.Width)}
		}
		return x
	case ir.Lowest:
		x := b.simple(e.Args[0])
		return &binary{"&", x, &binary{"+", &unary{"~", x}, sized(e.Type.Width, 1)}}
	case ir.EqLanes: // of bits
		copies := &repeat{e.Type.Width, b.simple(e.Args[1])}
		return &unary{"~", &binary{"^", b.expr(e.Args[0]), copies}}
	case ir.Select: // of bits
		return &unary{"|", &binary{"&", b.expr(e.Args[0]), b.expr(e.Args[1])}}
	}
	panic("verilog: no translation of " + e.Op.String())
}
