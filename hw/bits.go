package hw

import "github.com/hotline-rtl/hotline/hw/ir"

// Bits is a scalar value: an unsigned number of Width bits.
type Bits struct{ *value }

func (a Bits) binary(b Bits, op ir.Op) Bits {
	u := begin(ir.Caller(1), a.value, b.value)
	x, y := u.pair(a.value, b.value)
	return Bits{u.node(op, x.typ(), x, y)}
}

// compare returns a relation of a and b as one bit.
func (a Bits) compare(b Bits, op ir.Op) Bits {
	u := begin(ir.Caller(1), a.value, b.value)
	x, y := u.pair(a.value, b.value)
	return Bits{u.node(op, ir.Type{Width: 1}, x, y)}
}

// Add returns a+b modulo 2^width. All arithmetic wraps in this way.
func (a Bits) Add(b Bits) Bits { return a.binary(b, ir.Add) }

// Sub returns a-b.
func (a Bits) Sub(b Bits) Bits { return a.binary(b, ir.Sub) }

// Mul returns the low width bits of the product.
func (a Bits) Mul(b Bits) Bits { return a.binary(b, ir.Mul) }

// Div returns a/b rounded down, or all ones if b is 0. The division is combinational; lib/div
// computes one bit per cycle instead.
func (a Bits) Div(b Bits) Bits { return a.binary(b, ir.DivU) }

// Mod returns the remainder of a/b, or a if b is 0.
func (a Bits) Mod(b Bits) Bits { return a.binary(b, ir.ModU) }

// And returns the bitwise conjunction.
func (a Bits) And(b Bits) Bits { return a.binary(b, ir.And) }

// Or returns the bitwise disjunction.
func (a Bits) Or(b Bits) Bits { return a.binary(b, ir.Or) }

// Xor returns the bitwise exclusive or.
func (a Bits) Xor(b Bits) Bits { return a.binary(b, ir.Xor) }

// Eq returns 1 if a equals b.
func (a Bits) Eq(b Bits) Bits { return a.compare(b, ir.Eq) }

// Ne returns 1 if a differs from b.
func (a Bits) Ne(b Bits) Bits { return a.compare(b, ir.Ne) }

// Lt returns 1 if a < b, unsigned.
func (a Bits) Lt(b Bits) Bits { return a.compare(b, ir.LtU) }

// Le returns 1 if a <= b, unsigned.
func (a Bits) Le(b Bits) Bits { return a.compare(b, ir.LeU) }

// Gt returns 1 if a > b, unsigned.
func (a Bits) Gt(b Bits) Bits { return b.compare(a, ir.LtU) }

// Ge returns 1 if a >= b, unsigned.
func (a Bits) Ge(b Bits) Bits { return b.compare(a, ir.LeU) }

// LtS returns 1 if a < b as two's-complement numbers.
func (a Bits) LtS(b Bits) Bits { return a.compare(b, ir.LtS) }

// unary applies op. The result has width bits if a has a width.
func (a Bits) unary(op ir.Op, width int) Bits {
	u := begin(ir.Caller(1), a.value)
	return Bits{u.node(op, ir.Type{Width: width}, u.known(a.value))}
}

// Not returns the bitwise complement.
func (a Bits) Not() Bits { return a.unary(ir.Not, a.Width()) }

// Neg returns 0-a.
func (a Bits) Neg() Bits { return K(0).binary(a, ir.Sub) }

// All returns 1 if all bits are 1.
func (a Bits) All() Bits { return a.reduce(ir.RedAnd) }

// Any returns 1 if at least one bit is 1.
func (a Bits) Any() Bits {
	if a.Width() == 1 {
		return a
	}
	none := Bits{&value{k: &unsized{hex: true}}} // the Verilog printer renders a hexadecimal zero as the reduction |a
	return a.compare(none, ir.Ne)
}

// Parity returns the exclusive or of all bits.
func (a Bits) Parity() Bits { return a.reduce(ir.RedXor) }

// reduce applies a reduction operator. It returns a single bit unchanged.
func (a Bits) reduce(op ir.Op) Bits {
	if a.Width() == 1 {
		return a
	}
	u := begin(ir.Caller(1), a.value)
	return Bits{u.node(op, ir.Type{Width: 1}, u.known(a.value))}
}

// IsZero returns 1 if all bits are 0.
func (a Bits) IsZero() Bits {
	if a.Width() == 1 {
		return a.unary(ir.Not, 1)
	}
	return a.compare(K(0), ir.Eq)
}

// Inc returns a+1.
func (a Bits) Inc() Bits { return a.binary(K(1), ir.Add) }

// Dec returns a-1.
func (a Bits) Dec() Bits { return a.binary(K(1), ir.Sub) }

// shift accepts an amount of any width.
func (a Bits) shift(amount Bits, op ir.Op) Bits {
	u := begin(ir.Caller(1), a.value, amount.value)
	x := u.known(a.value)
	return Bits{u.node(op, x.typ(), x, u.sized(amount.value, IndexWidth(x.Width()+1)))}
}

// Shl returns a shifted left by amount, or 0 if amount is at least the width.
func (a Bits) Shl(amount Bits) Bits { return a.shift(amount, ir.Shl) }

// Shr returns a shifted right by amount, or 0 if amount is at least the width.
func (a Bits) Shr(amount Bits) Bits { return a.shift(amount, ir.ShrU) }

// ShrS returns a shifted right by amount, filled with copies of the sign bit.
func (a Bits) ShrS(amount Bits) Bits { return a.shift(amount, ir.ShrS) }

// RotL returns a rotated left by n modulo the width.
func (a Bits) RotL(n int) Bits {
	pos, w := ir.Caller(0), a.Width()
	if w == 0 || n%w == 0 {
		return a
	}
	low := w - (n%w+w)%w
	return join([]Bits{a.slice(low-1, 0, pos), a.slice(w-1, low, pos)}, pos)
}

// Slice returns bits hi down to lo.
func (a Bits) Slice(hi, lo int) Bits { return a.slice(hi, lo, ir.Caller(0)) }

// Bit returns bit i.
func (a Bits) Bit(i int) Bits { return a.slice(i, i, ir.Caller(0)) }

// Trunc returns the low width bits.
func (a Bits) Trunc(width int) Bits { return a.slice(width-1, 0, ir.Caller(0)) }

func (a Bits) slice(hi, lo int, pos ir.Pos) Bits {
	u := begin(pos, a.value)
	x := u.known(a.value)
	if !u.broken && (lo < 0 || hi < lo || hi >= x.Width()) {
		u.errorf("width", "bits %d down to %d are not in a value of %d bits", hi, lo, x.Width())
	}
	if u.broken {
		return Bits{u.noPart(x, max(hi-lo+1, 1))}
	}
	if lo == 0 && hi == x.Width()-1 {
		return a
	}
	out := u.node(ir.Slice, ir.Type{Width: hi - lo + 1}, x)
	out.e.Lo = lo
	if a.only != nil {
		out.only = &guarded{a.only.cond, Bits{a.only.v}.slice(hi, lo, pos).value}
	}
	return Bits{out}
}

// noPart returns a placeholder for an invalid slice of v. Like noElement, it remembers the signal.
func (u *use) noPart(v *value, width int) *value {
	out := u.nothing(ir.Type{Width: width})
	if v != nil && v.e != nil {
		l, _ := lvalue(v.e)
		out.e.Sig = l.Sig
	}
	return out
}

// Ext returns a, zero-extended to width bits.
func (a Bits) Ext(width int) Bits { return a.extend(width, ir.ZExt, ir.Caller(0)) }

// SExt returns a, sign-extended to width bits.
func (a Bits) SExt(width int) Bits { return a.extend(width, ir.SExt, ir.Caller(0)) }

func (a Bits) extend(width int, op ir.Op, pos ir.Pos) Bits {
	if width == a.Width() && width > 0 {
		return a
	}
	u := begin(pos, a.value)
	x := u.known(a.value)
	if !u.broken && width < x.Width() {
		u.errorf("width", "%d bits cannot be extended to %d; use Trunc", x.Width(), width)
	}
	return Bits{u.node(op, ir.Type{Width: width}, x)}
}

// Resize returns a, truncated or zero-extended to width bits.
func (a Bits) Resize(width int) Bits {
	if width > a.Width() {
		return a.extend(width, ir.ZExt, ir.Caller(0))
	}
	return a.slice(width-1, 0, ir.Caller(0))
}

// Cat concatenates values, the first most significant.
func Cat(parts ...Bits) Bits { return join(parts, ir.Caller(0)) }

// Repeat concatenates n copies of a.
func (a Bits) Repeat(n int) Bits {
	pos := ir.Caller(0)
	if n < 1 || n > ir.MaxWidth {
		u := begin(pos, a.value)
		u.errorf("width", "a value is repeated %d times; expected at least 1", n)
		return Bits{u.nothing(ir.Type{Width: 1})}
	}
	parts := make([]Bits, n)
	for i := range parts {
		parts[i] = a
	}
	return join(parts, pos)
}

func join(parts []Bits, pos ir.Pos) Bits {
	vs := values(parts)
	u := begin(pos, vs...)
	if len(parts) == 0 {
		u.errorf("width", "a concatenation without values; expected at least one")
	}
	t := ir.Type{}
	for i := range vs {
		vs[i] = u.known(vs[i])
		t.Width += vs[i].Width()
	}
	if len(vs) == 1 {
		return Bits{vs[0]}
	}
	return Bits{u.node(ir.Concat, t, vs...)}
}

func values(xs []Bits) []*value {
	out := make([]*value, len(xs))
	for i, x := range xs {
		out[i] = x.value
	}
	return out
}

func mux(cond Bits, yes, no *value, pos ir.Pos) *value {
	u := begin(pos, cond.value, yes, no)
	c := u.want(cond.value, 1, "condition")
	y, n := u.pair(yes, no)
	return u.node(ir.Mux, y.typ(), c, y, n)
}

// Lowest returns a with only its lowest set bit.
func (a Bits) Lowest() Bits { return a.unary(ir.Lowest, a.Width()) }

// Encode returns the index of the set bit of a one-hot value. If several bits are set, it returns
// the bitwise disjunction of their indices.
func (a Bits) Encode() Bits { return a.unary(ir.Encode, IndexWidth(a.Width())) }

// Decode returns the one-hot value of n bits with bit a set, or 0 if a is n or more.
func (a Bits) Decode(n int) Bits {
	u := begin(ir.Caller(0), a.value)
	x, t := u.known(a.value), ir.Type{Width: n}
	if u.broken || !u.allowed(t) {
		return Bits{u.nothing(t)}
	}
	return Bits{u.node(ir.Shl, t, &value{e: constant(n, 1, u.pos)}, x)}
}

// Count returns the number of set bits, in CountWidth(width) bits.
func (a Bits) Count() Bits { return a.unary(ir.PopCount, CountWidth(a.Width())) }

// IndexWidth returns the width of an index into n elements, at least 1.
func IndexWidth(n int) int { return ir.IndexWidth(n) }

// CountWidth returns the width of a number from 0 to n.
func CountWidth(n int) int { return ir.CountWidth(n) }
