package build

import (
	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// inlineArray translates the operators on memories, arrays and words that are
// expressions in Verilog too.
func (b *builder) inlineArray(e *ir.Expr) syntax.Expr {
	switch e.Op {
	case ir.MemRead:
		return b.memRead(e)
	case ir.Elem:
		x := b.elem(e)
		if n := e.Args[0].Type.Len; simplify.MayExceed(n, e.Args[1]) {
			return &syntax.Ternary{Cond: b.inRange(e.Args[1], n), Yes: x, No: syntax.Zeros(e.Type.Width)}
		}
		return x
	case ir.Lowest:
		x := b.simple(e.Args[0])
		return &syntax.Binary{Op: "&", X: x, Y: &syntax.Binary{Op: "+", X: &syntax.Unary{Op: "~", X: x}, Y: syntax.Sized(e.Type.Width, 1)}}
	case ir.EqLanes: // of bits
		copies := &syntax.Repeat{N: e.Type.Width, X: b.simple(e.Args[1])}
		return &syntax.Unary{Op: "~", X: &syntax.Binary{Op: "^", X: b.expr(e.Args[0]), Y: copies}}
	case ir.Select: // of bits
		return &syntax.Unary{Op: "|", X: &syntax.Binary{Op: "&", X: b.expr(e.Args[0]), Y: b.expr(e.Args[1])}}
	}
	panic("verilog: no translation of " + e.Op.String())
}
