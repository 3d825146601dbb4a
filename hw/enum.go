package hw

import (
	"strings"

	"github.com/hotline-rtl/hotline/hw/enum"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// Enum is a value of the Go type T, as wide as its enum.Set.
type Enum[T enum.Value] struct{ *value }

// EnumOf converts a to a value of T. The hardware does not check that the value has a name.
func EnumOf[T enum.Value](a Bits) Enum[T] {
	var zero T
	u := begin(ir.Caller(0), a.value)
	return Enum[T]{u.want(a.value, zero.Enum().Width(), "value of "+zero.Enum().Name())}
}

// Value returns the constant v in m.
func Value[T enum.Value](m *Module, v T) Enum[T] {
	pos := ir.Caller(0)
	m.statement(pos)
	return Enum[T]{m.named(v.Enum(), uint64(v), pos)}
}

// Bits returns the value as a number.
func (a Enum[T]) Bits() Bits { return Bits(a) }

// Is returns 1 if a is one of the values.
func (a Enum[T]) Is(vs ...T) Bits {
	var zero T
	return isOneOf(Bits(a), uints(vs), zero.Enum(), ir.Caller(0))
}

// Eq returns 1 if a equals b.
func (a Enum[T]) Eq(b Enum[T]) Bits { return Bits(a).compare(Bits(b), ir.Eq) }

// Set assigns a value to a signal under the current conditions, as Bits.Set does.
func (a Enum[T]) Set(b Enum[T]) { a.value.set(b.value, ir.Caller(0)) }

// Put assigns the value v to a signal under the current conditions.
func (a Enum[T]) Put(v T) {
	pos := ir.Caller(0)
	if a.value == nil || a.m == nil {
		refuse(begin(pos, a.value), "only a signal, an element of a vector or bits of these can be set")
		return
	}
	a.value.set(a.m.named(v.Enum(), uint64(v), pos), pos)
}

// As names the value: it declares a wire in the current scope.
func (a Enum[T]) As(name string) Enum[T] { return Enum[T]{a.value.as(name, ir.Caller(0))} }

// isOneOf returns 1 if x is one of the values of a set.
func isOneOf(x Bits, vs []uint64, set enum.Set, pos ir.Pos) Bits {
	u := begin(pos, x.value)
	if len(vs) == 0 {
		u.errorf("enum", "a comparison without values; expected at least one")
	}
	if u.broken || u.m == nil {
		return Bits{u.nothing(ir.Type{Width: 1})}
	}
	var out *value
	for _, v := range vs {
		is := u.node(ir.Eq, ir.Type{Width: 1}, x.value, u.m.named(set, v, pos))
		if out == nil {
			out = is
		} else {
			out = u.node(ir.Or, ir.Type{Width: 1}, out, is)
		}
	}
	return Bits{out}
}

func uints[T enum.Value](vs []T) []uint64 {
	out := make([]uint64, len(vs))
	for i, v := range vs {
		out[i] = uint64(v)
	}
	return out
}

// named returns the constant for a value of a set.
func (m *Module) named(set enum.Set, v uint64, pos ir.Pos) *value {
	u := use{pos: pos, m: m}
	if !set.Has(v) {
		u.errorf("enum", "%d is not a value of %s; expected one of %s", v, set.Name(), set.List())
		return u.nothing(ir.Type{Width: set.Width()})
	}
	e := constant(set.Width(), v, pos)
	e.Label, e.Hex = m.enum(set, pos).Label(v), set.Hex()
	return &value{m: m, e: e}
}

// enum returns the module's own representation of a set.
func (m *Module) enum(set enum.Set, pos ir.Pos) *ir.Enum {
	if e := m.enums[set]; e != nil {
		return e
	}
	e := &ir.Enum{Name: set.Name(), Width: set.Width(), Hex: set.Hex()}
	for _, v := range set.Values() {
		e.Values = append(e.Values, ir.EnumValue{Value: v.Value, Name: v.Name})
	}
	for other := range m.enums {
		if other.Name() == set.Name() {
			m.errorf(pos, "name", "two enums are called %s in this module: of %s, and of %s", set.Name(), other.List(), set.List())
			return e
		}
	}
	for _, v := range e.Values {
		m.claimLabel(e.Label(v.Value), pos)
	}
	m.enums[set] = e
	m.ir.Enums = append(m.ir.Enums, e)
	return e
}

// claimLabel reserves the name of a constant.
func (m *Module) claimLabel(label string, pos ir.Pos) {
	if at, dup := m.taken[label]; dup {
		m.errorf(pos, "name", "constant %s is already declared at %s", label, at)
	}
	m.taken[label] = pos
}

// Named returns the constant v with a name in the Verilog. It takes the width of the other
// operand, as K does. The name is written like the name of a signal; the Verilog uses upper case:
// window becomes WINDOW.
func Named(name string, v int) Bits {
	k := K(v)
	k.k.label = strings.ToUpper(name)
	return k
}

// NamedHex returns the same constant as Named, printed in hexadecimal.
func NamedHex(name string, v int) Bits {
	k := Named(name, v)
	k.k.hex = true
	return k
}

// Hex returns a constant of width bits that is printed in hexadecimal.
func Hex(width int, v uint64) Bits {
	b := Lit(width, v)
	if !b.broken {
		b.e.Hex = true
	}
	return b
}

// labels reports constant names that denote two different numbers in m.
func (el *elaboration) labels(m *ir.Module) {
	first, visited := map[string]*ir.Expr{}, map[*ir.Expr]bool{}
	look := func(e *ir.Expr) {
		if e.Op != ir.Const || e.Label == "" {
			return
		}
		other := first[e.Label]
		if other == nil {
			first[e.Label] = e
		} else if other.Uint() != e.Uint() {
			el.mistake(m, e.Pos, "name", "constant %s is %d here and %d at %s", e.Label, e.Uint(), other.Uint(), other.Pos)
		}
	}
	m.Body.Walk(func(s *ir.Scope) {
		ir.WalkStmts(s.Stmts, func(st ir.Stmt) {
			for _, e := range st.Exprs() {
				ir.WalkExpr(e, visited, look)
			}
			if sw, ok := st.(*ir.Switch); ok {
				for _, c := range sw.Cases {
					for _, v := range c.Values {
						look(v)
					}
				}
			}
		})
	})
}
