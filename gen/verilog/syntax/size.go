package syntax

import (
	"fmt"
	"strconv"
)

// spelling writes sizes: fixed ones as numbers, others in terms of the parameter of the
// module.
type spelling struct{ param string }

// PerParam represents the parameter in a size that follows from it: the size a*PerParam + b
// means a times the parameter plus b. Arithmetic on such sizes needs no special cases.
const PerParam = 1 << 40

// follows returns a and b of the size a*PerParam + b.
func follows(size int) (a, b int) {
	a = (size + PerParam/2) >> 40
	return a, size - a*PerParam
}

// IsFixed reports whether a size does not depend on the parameter.
func IsFixed(size int) bool {
	a, _ := follows(size)
	return a == 0
}

// size returns a size, such as 8, WIDTH, WIDTH-1 or 2*WIDTH+3.
func (sp spelling) size(n int) string {
	a, b := follows(n)
	s := sp.param
	switch a {
	case 0:
		return strconv.Itoa(b)
	case 1:
	case -1:
		s = "-" + s
	default:
		s = fmt.Sprintf("%d*%s", a, s)
	}
	switch {
	case b == 0:
		return s
	case a < 0 && b > 0:
		return strconv.Itoa(b) + s
	}
	return fmt.Sprintf("%s%+d", s, b)
}

// factor returns a size as an operand.
func (sp spelling) factor(n int) string {
	if a, b := follows(n); a != 0 && (a != 1 || b != 0) {
		return "(" + sp.size(n) + ")"
	}
	return sp.size(n)
}

// bits returns a range, or one bit: [11:4], [WIDTH-1:0], [3].
func (sp spelling) bits(lo, width int) string {
	if width == 1 {
		return "[" + sp.size(lo) + "]"
	}
	return "[" + sp.size(lo+width-1) + ":" + sp.size(lo) + "]"
}

// from returns the select of width bits that begins lo bits after a computed place.
func (sp spelling) from(at string, lo, width int) string {
	if lo != 0 {
		at += " + " + sp.size(lo)
	}
	if width == 1 {
		return "[" + at + "]"
	}
	return "[" + at + " +: " + sp.size(width) + "]"
}

// padded returns a number whose width follows from the parameter, as zeros and a number of
// fixed width.
func (sp spelling) padded(n *Number) string {
	switch {
	case n.Ones:
		return "{" + sp.factor(n.Width) + "{1'b1}}"
	case n.IsZero():
		return "{" + sp.factor(n.Width) + "{1'b0}}"
	}
	low := &Number{Width: n.Least(), Val: n.Val, Hex: n.Hex, Count: n.Count}
	return "{{" + sp.factor(n.Width-low.Width) + "{1'b0}}, " + sp.number(low) + "}"
}

// paramValue returns the value that an instance gives a parameter.
func (sp spelling) paramValue(x ParamValue) string {
	if x.Text != nil {
		return strconv.Quote(*x.Text)
	}
	return sp.size(x.Value)
}
