package syntax

// WidthOf returns the number of bits of x, without regard to its context.
func WidthOf(x Expr) int {
	switch x := x.(type) {
	case *Ident:
		return x.Obj.Width
	case *Number:
		return x.Width
	case *Part:
		return x.Width
	case *DynPart:
		return x.Width
	case *Word:
		if x.Width > 0 {
			return x.Width
		}
		return x.Mem.Width
	case *LoopBits:
		return x.Width
	case *LoopValue:
		return LoopVarWidth
	case *Unary:
		if x.Op == "!" || x.Op == "&" || x.Op == "|" || x.Op == "^" {
			return 1
		}
		return WidthOf(x.X)
	case *Binary:
		if p := precedence[x.Op]; p == 9 || p == 8 || p <= 4 {
			return 1
		}
		return WidthOf(x.X)
	case *Ternary:
		return WidthOf(x.Yes)
	case *Concat:
		n := 0
		for _, p := range x.Parts {
			n += WidthOf(p)
		}
		return n
	case *Repeat:
		return x.N * WidthOf(x.X)
	case *Signed:
		return WidthOf(x.X)
	}
	panic("verilog: an expression without a width")
}
