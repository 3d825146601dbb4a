package hw

import (
	"math/big"
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// value is the common representation of Bits and Vec: an expression, the module that it belongs
// to, and the innermost scope that it depends on. A constant has neither module nor scope. A
// constant made by K has no expression until it is given a width. The zero value represents a
// field that was never set.
type value struct {
	m      *Module
	sc     *ir.Scope
	e      *ir.Expr
	k      *unsized
	broken bool     // has a reported mistake; suppresses further reports
	bad    []*Error // mistakes found before a module was known to report them to
	bound  *bound   // a signal of a test bench; all other fields are zero
	pad    *padUse  // a Pad; all other fields are zero
	row    *row     // a vector that is a part of a larger vector
	only   *guarded // target of a Set, if it is not e
}

// unsized is a constant that takes the width of the other operand.
type unsized struct {
	bits     uint64 // all 64 bits of the two's complement of a negative number
	negative bool
	signed   bool // made by Int
	label    string
	hex      bool // printed in hexadecimal
}

// Width returns the number of bits, for a Vec the bits of an element; 0 for K.
func (v *value) Width() int { return v.typ().Width }

func (v *value) typ() ir.Type {
	if v == nil || v.e == nil {
		return ir.Type{}
	}
	return v.e.Type
}

// K returns a constant that takes the width of the other operand.
func K[T ~int | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64](v T) Bits {
	return Bits{&value{k: &unsized{bits: uint64(v), negative: v < 0}}}
}

// Lit returns a constant of width bits.
func Lit(width int, v uint64) Bits {
	u := use{pos: ir.Caller(0)}
	if t := (ir.Type{Width: width}); !u.allowed(t) || !u.fits(unsized{bits: v}, width) {
		return Bits{u.nothing(t)}
	}
	return Bits{&value{e: constant(width, v, u.pos)}}
}

func fits(v uint64, width int) bool { return width >= 64 || v>>uint(width) == 0 }

func fitsSigned(v int64, width int) bool {
	return width >= 64 || v >= -1<<(width-1) && v < 1<<(width-1)
}

func constant(width int, v uint64, pos ir.Pos) *ir.Expr {
	val := make([]uint64, ir.Words(width))
	val[0] = v
	return &ir.Expr{Op: ir.Const, Type: ir.Type{Width: width}, Val: val, Pos: pos}
}

// use is a use of values by an operator or a statement. It collects their mistakes.
type use struct {
	pos    ir.Pos
	m      *Module // nil as long as all operands are constants
	broken bool
	bad    []*Error
}

// begin starts the use of operands by an operator, in the module of the first operand that has a
// module.
func begin(pos ir.Pos, operands ...*value) use {
	u := use{pos: pos}
	for _, v := range operands {
		if v != nil && v.m != nil {
			u.m = v.m
			break
		}
	}
	u.take(operands...)
	return u
}

// statement starts the use of operands by a statement or declaration of m.
func (m *Module) statement(pos ir.Pos, operands ...*value) use {
	u := use{pos: pos, m: m}
	if m.el.current != m {
		u.errorf("scope", "module %s is described outside its Build", m.ir.Name)
	}
	u.take(operands...)
	return u
}

// take adopts the existing mistakes of the operands.
func (u *use) take(operands ...*value) {
	for _, v := range operands {
		if v == nil {
			if !u.broken {
				u.errorf("scope", "a value that was never declared: a field not set, or a port that this configuration lacks")
			}
			continue
		}
		u.broken = u.broken || v.broken
		for _, e := range v.bad {
			u.adopt(e)
		}
	}
}

// adopt takes over a mistake of an operand. The mistake is reported once a module is known, and
// only once.
func (u *use) adopt(e *Error) {
	u.broken = true
	switch {
	case u.m == nil && !slices.Contains(u.bad, e):
		u.bad = append(u.bad, e)
	case u.m != nil && !u.m.el.adopted[e]:
		u.m.el.adopted[e] = true
		u.m.errorf(e.Pos, e.ID, "%s", e.Text)
	}
}

func (u *use) errorf(id, format string, args ...any) {
	u.adopt(newError(u.pos, id, "", format, args...))
}

// nothing returns a placeholder for an invalid value, of type t if t is possible, so that
// dependent values cause no further errors.
func (u *use) nothing(t ir.Type) *value {
	if !possible(t) {
		t = ir.Type{}
	}
	return &value{m: u.m, e: &ir.Expr{Op: ir.Concat, Type: t, Pos: u.pos}, broken: true, bad: u.bad}
}

func possible(t ir.Type) bool {
	return t.Width >= 1 && t.Width <= ir.MaxWidth && t.Len >= 0 && t.Len <= ir.MaxLen
}

// allowed checks the limits of a type.
func (u *use) allowed(t ir.Type) bool {
	if possible(t) {
		return true
	}
	u.errorf("width", "a value of %s bits; expected a width of 1 to %d and a length of at most %d", t, ir.MaxWidth, ir.MaxLen)
	return false
}

func (u *use) fits(k unsized, width int) bool {
	switch {
	case k.signed && !fitsSigned(int64(k.bits), width):
		u.errorf("const", "constant %d does not fit in %d bits with a sign", int64(k.bits), width)
	case k.signed:
		return true
	case k.negative:
		u.errorf("const", "constant %d is negative; use Int, Neg or Lit", int64(k.bits))
	case !fits(k.bits, width):
		u.errorf("const", "constant %d does not fit in %d bits", k.bits, width)
	default:
		return true
	}
	return false
}

// sized gives a K constant a width.
func (u *use) sized(v *value, width int) *value {
	if v == nil {
		return u.nothing(ir.Type{Width: width})
	}
	if u.broken || v.k == nil {
		return v
	}
	if !u.fits(*v.k, width) {
		return u.nothing(ir.Type{Width: width})
	}
	e := constant(width, v.k.bits, u.pos)
	if v.k.negative {
		e.Val = wordsOf(new(big.Int).SetInt64(int64(v.k.bits)), width)
	}
	e.Label, e.Hex = v.k.label, v.k.hex
	return &value{m: u.m, e: e}
}

// known rejects a K constant without a width.
func (u *use) known(v *value) *value {
	if v == nil {
		return u.nothing(ir.Type{})
	}
	if !u.broken && v.k != nil {
		u.errorf("const", "a constant without width; use Lit")
	}
	return v
}

// want checks that v is a scalar of width bits, and gives a constant this width.
func (u *use) want(v *value, width int, what string) *value {
	if v = u.sized(v, width); u.broken {
		return v
	}
	if v.e.Type != (ir.Type{Width: width}) {
		u.errorf("width", "the %s has %s bits, expected %d; use Ext, SExt or Trunc", what, v.e.Type, width)
	}
	return v
}

// pair gives both operands the same type.
func (u *use) pair(a, b *value) (*value, *value) {
	if !u.broken && a.k != nil && b.k != nil {
		a = u.known(a)
	}
	a = u.sized(a, b.Width())
	b = u.sized(b, a.Width())
	if !u.broken && a.e.Type != b.e.Type {
		u.errorf("width", "operands of %s and %s bits; use Ext, SExt or Trunc", a.e.Type, b.e.Type)
	}
	return a, b
}

// node makes an expression of operands that already have widths.
func (u *use) node(op ir.Op, t ir.Type, args ...*value) *value {
	if u.broken || !u.allowed(t) {
		return u.nothing(t)
	}
	out := &value{m: u.m, e: &ir.Expr{Op: op, Type: t, Pos: u.pos, Args: make([]*ir.Expr, len(args))}}
	for i, a := range args {
		out.e.Args[i] = a.e
		out.sc = u.deeper(out.sc, a.sc)
	}
	if u.broken {
		return u.nothing(t)
	}
	return out
}

// deeper returns the inner of two scopes. The scopes must nest.
func (u *use) deeper(a, b *ir.Scope) *ir.Scope {
	switch {
	case a == nil || b != nil && b.Inside(a):
		return b
	case b == nil || a.Inside(b):
		return a
	case a.Module != b.Module:
		u.errorf("scope", "values of modules %s and %s in one expression; connect the modules through ports", a.Module.Name, b.Module.Name)
	default:
		u.errorf("scope", "values of loops %q and %q in one expression; carry one out of its loop in a vector", a.Loop.Name, b.Loop.Name)
	}
	return a
}

// visible checks that v can be used in the current scope of u.m.
func (u *use) visible(v *value) {
	here := u.m.scope
	switch {
	case v == nil || v.sc == nil || here.Inside(v.sc):
	case v.sc.Module != u.m.ir:
		u.deeper(v.sc, here)
	default:
		u.errorf("scope", "a value of loop %q is used outside it; carry it out in a vector", v.sc.Loop.Name)
	}
}
