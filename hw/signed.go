package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Signed is a two's-complement number of Width bits. It has the operators whose result depends on
// the sign. Bits and Signed only change the view of a value, not its bits. As a field of a record
// it has the same tag as Bits.
type Signed struct{ *value }

// Signed returns a as a two's-complement number.
func (a Bits) Signed() Signed { return Signed(a) }

// Bits returns a as an unsigned number.
func (a Signed) Bits() Bits { return Bits(a) }

// Int returns a constant that takes the width of the other operand, like K, and may be negative.
func Int(v int) Signed {
	return Signed{&value{k: &unsized{bits: uint64(v), negative: v < 0, signed: true}}}
}

func (a Signed) binary(b Signed, op ir.Op) Signed {
	u := begin(ir.Caller(1), a.value, b.value)
	x, y := u.pair(a.value, b.value)
	return Signed{u.node(op, x.typ(), x, y)}
}

// Add returns a+b modulo 2^width. All arithmetic wraps in this way.
func (a Signed) Add(b Signed) Signed { return a.binary(b, ir.Add) }

// Sub returns a-b.
func (a Signed) Sub(b Signed) Signed { return a.binary(b, ir.Sub) }

// Mul returns the low width bits of the product.
func (a Signed) Mul(b Signed) Signed { return a.binary(b, ir.Mul) }

// Div returns a/b rounded towards 0, or -1 if b is 0.
func (a Signed) Div(b Signed) Signed {
	a, b = a.pair(b)
	inexact := a.IsNeg().Xor(b.IsNeg()).And(b.Bits().Any())
	return a.Abs().Div(b.Abs()).negatedIf(inexact)
}

// Mod returns the remainder of a/b with the sign of a, or a if b is 0.
func (a Signed) Mod(b Signed) Signed {
	a, b = a.pair(b)
	return a.Abs().Mod(b.Abs()).negatedIf(a.IsNeg())
}

// pair gives both operands the same width.
func (a Signed) pair(b Signed) (Signed, Signed) {
	u := begin(ir.Caller(1), a.value, b.value)
	x, y := u.pair(a.value, b.value)
	if u.broken {
		x, y = u.nothing(x.typ()), u.nothing(y.typ())
	}
	return Signed{x}, Signed{y}
}

func (a Bits) negatedIf(c Bits) Signed {
	return Signed{mux(c, K(0).binary(a, ir.Sub).value, a.value, ir.Caller(0))}
}

// Neg returns 0-a. The most negative number is its own negative.
func (a Signed) Neg() Signed { return Signed{K(0).binary(Bits(a), ir.Sub).value} }

// IsNeg returns 1 if a < 0.
func (a Signed) IsNeg() Bits { return Bits(a).slice(a.Width()-1, a.Width()-1, ir.Caller(0)) }

// Abs returns the absolute value of a, which fits in the same number of bits as an unsigned
// number.
func (a Signed) Abs() Bits {
	pos := ir.Caller(0)
	return Bits{mux(Bits(a).slice(a.Width()-1, a.Width()-1, pos), K(0).binary(Bits(a), ir.Sub).value, a.value, pos)}
}

// Eq returns 1 if a equals b.
func (a Signed) Eq(b Signed) Bits { return Bits(a).compare(Bits(b), ir.Eq) }

// Ne returns 1 if a differs from b.
func (a Signed) Ne(b Signed) Bits { return Bits(a).compare(Bits(b), ir.Ne) }

// Lt returns 1 if a < b.
func (a Signed) Lt(b Signed) Bits { return Bits(a).compare(Bits(b), ir.LtS) }

// Gt returns 1 if a > b.
func (a Signed) Gt(b Signed) Bits { return Bits(b).compare(Bits(a), ir.LtS) }

// Le returns 1 if a <= b.
func (a Signed) Le(b Signed) Bits { return Bits(b).compare(Bits(a), ir.LtS).unary(ir.Not, 1) }

// Ge returns 1 if a >= b.
func (a Signed) Ge(b Signed) Bits { return Bits(a).compare(Bits(b), ir.LtS).unary(ir.Not, 1) }

// Shl returns a shifted left by amount, or 0 if amount is at least the width.
func (a Signed) Shl(amount Bits) Signed { return Signed{Bits(a).shift(amount, ir.Shl).value} }

// Shr returns a shifted right by amount, filled with copies of the sign bit: a divided by a power
// of two, rounded down.
func (a Signed) Shr(amount Bits) Signed { return Signed{Bits(a).shift(amount, ir.ShrS).value} }

// Ext returns a, sign-extended to width bits.
func (a Signed) Ext(width int) Signed {
	return Signed{Bits(a).extend(width, ir.SExt, ir.Caller(0)).value}
}

// Trunc returns the low width bits.
func (a Signed) Trunc(width int) Signed { return Signed{Bits(a).slice(width-1, 0, ir.Caller(0)).value} }

// As names the value: it declares a wire in the current scope.
func (a Signed) As(name string) Signed { return Signed{a.value.as(name, ir.Caller(0))} }

// Set assigns a value to a signal under the current conditions, as Bits.Set does.
func (a Signed) Set(b Signed) { a.value.set(b.value, ir.Caller(0)) }
