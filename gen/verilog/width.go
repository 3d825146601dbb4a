package verilog

// widthOf is the number of bits of x by itself.
func widthOf(x expr) int {
	switch x := x.(type) {
	case *ident:
		return x.obj.width
	case *number:
		return x.width
	case *part:
		return x.width
	case *dynPart:
		return x.width
	case *word:
		if x.width > 0 {
			return x.width
		}
		return x.mem.width
	case *loopBits:
		return x.width
	case *loopValue:
		return loopVarWidth
	case *unary:
		if x.op == "!" || x.op == "&" || x.op == "|" || x.op == "^" {
			return 1
		}
		return widthOf(x.x)
	case *binary:
		if p := precedence[x.op]; p == 9 || p == 8 || p <= 4 {
			return 1
		}
		return widthOf(x.x)
	case *ternary:
		return widthOf(x.yes)
	case *concat:
		n := 0
		for _, p := range x.parts {
			n += widthOf(p)
		}
		return n
	case *repeat:
		return x.n * widthOf(x.x)
	case *signed:
		return widthOf(x.x)
	}
	panic("verilog: an expression without a width")
}
