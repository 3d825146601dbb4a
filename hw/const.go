package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Zeros is 0 as a number of width bits.
func Zeros(width int) Bits { return fill(width, 0, ir.Caller(0)) }

// Ones is width ones.
func Ones(width int) Bits { return fill(width, ^uint64(0), ir.Caller(0)) }

func fill(width int, word uint64, pos ir.Pos) Bits {
	u := use{pos: pos}
	if t := (ir.Type{Width: width}); !u.allowed(t) {
		return Bits{u.nothing(t)}
	}
	e := constant(width, 0, pos)
	for i := range e.Val {
		e.Val[i] = word >> uint(64*(i+1)-min(width, 64*(i+1)))
	}
	return Bits{&value{e: e}}
}
