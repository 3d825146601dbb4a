package build

import (
	"slices"

	"github.com/hotline-rtl/hotline/gen/verilog/simplify"
	"github.com/hotline-rtl/hotline/gen/verilog/syntax"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// concat concatenates args. Equal neighbours become a repetition.
func (b *builder) concat(args []*ir.Expr) syntax.Expr {
	out := &syntax.Concat{}
	for i := 0; i < len(args); {
		n := 1
		for i+n < len(args) && same(args[i+n], args[i]) {
			n++
		}
		x := b.expr(args[i])
		switch {
		case n > 1 && simplify.IsZero(args[i]):
			x = syntax.Zeros(n * args[i].Type.Width)
		case n > 1:
			x = &syntax.Repeat{N: n, X: x}
		}
		if inner, ok := x.(*syntax.Concat); ok {
			out.Parts = append(out.Parts, inner.Parts...)
		} else {
			out.Add(x)
		}
		i += n
	}
	if len(out.Parts) == 1 {
		return out.Parts[0]
	}
	return out
}

// same reports whether two operands are identical, or equal numbers without names.
func same(x, y *ir.Expr) bool {
	return x == y || x.Op == ir.Const && y.Op == ir.Const && x.Label == "" && y.Label == "" && x.Type == y.Type && slices.Equal(x.Val, y.Val)
}

// reversed returns list in the opposite order.
func reversed(list []*ir.Expr) []*ir.Expr {
	out := make([]*ir.Expr, len(list))
	for i, e := range list {
		out[len(out)-1-i] = e
	}
	return out
}

// signExtension repeats the highest bit in front of the operand.
func (b *builder) signExtension(e *ir.Expr) syntax.Expr {
	x := e.Args[0]
	n := e.Type.Width - x.Type.Width
	if x.Type.Width == 1 {
		return &syntax.Repeat{N: n + 1, X: b.simple(x)}
	}
	p := b.part(x)
	sign := syntax.SelectBits(p, x.Type.Width-1, 1)
	if n > 1 {
		sign = &syntax.Repeat{N: n, X: sign}
	}
	return &syntax.Concat{Parts: []syntax.Expr{sign, p}}
}
