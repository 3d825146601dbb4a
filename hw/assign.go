package hw

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// As names a value: it declares a wire in the current scope, driven by a regardless of the
// surrounding conditions.
func (a Bits) As(name string) Bits { return Bits{a.value.as(name, ir.Caller(0))} }

// As names a vector: it declares wires in the current scope.
func (v Vec) As(name string) Vec { return Vec{v.value.as(name, ir.Caller(0))} }

func (v *value) as(name string, pos ir.Pos) *value {
	u := begin(pos, v)
	v = u.known(v)
	if u.m == nil {
		u.errorf("scope", "%q names a constant, which belongs to no module", name)
		return u.nothing(v.typ())
	}
	m := u.m
	now := m.statement(pos)
	if now.visible(v); u.broken || now.broken {
		m.claim("wire", name, pos)
		return u.nothing(v.typ())
	}
	s := m.declare(ir.Wire, name, v.e.Type, pos)
	m.scope.Stmts = append(m.scope.Stmts, &ir.Assign{LHS: ir.LValue{Sig: s}, RHS: v.e, Pos: pos})
	return m.ref(s, pos)
}

// Set assigns a wire its value, or a register its next value, under the current conditions. It
// accepts the results of In, Out, Wire, Reg and Vec.At, and slices of them made by Slice, Bit and
// Trunc. The search for combinational loops treats all slices of a wire as one value; use a vector
// for a value that propagates from bit to bit, such as a carry.
func (a Bits) Set(v Bits) { a.value.set(v.value, ir.Caller(0)) }

// Set assigns all elements.
func (v Vec) Set(w Vec) { v.value.set(w.value, ir.Caller(0)) }

func (v *value) set(to *value, pos ir.Pos) {
	if v == nil || v.m == nil {
		refuse(begin(pos, v, to), "only a signal, an element of a vector or bits of these can be set")
		return
	}
	m := v.m
	switch {
	case v.broken:
		m.statement(pos, to)
		m.el.refused[v.e.Sig] = true
		return
	case v.row != nil:
		Vec{v}.setRow(to, pos)
		return
	case v.only != nil:
		m.when(Bits{v.only.cond}, func() { v.only.v.set(to, pos) }, pos)
		return
	}
	u := m.statement(pos)
	lhs, ok := u.target(v)
	if !ok {
		u.take(to)
		return
	}
	// A value with a mistake still drives the signal.
	val := m.statement(pos, to)
	to = val.sized(to, v.e.Type.Width)
	if !val.broken && to.e.Type != v.e.Type {
		name := fmt.Sprintf("%q", lhs.Sig.Name)
		if lhs.Bits > 0 {
			name += fmt.Sprintf("[%d:%d]", lhs.Lo+lhs.Bits-1, lhs.Lo)
		}
		val.errorf("width", "%s has %s bits, the value has %s; use Ext, SExt or Trunc", name, v.e.Type, to.e.Type)
	}
	if !val.broken {
		val.visible(to)
	}
	if val.broken {
		to = val.nothing(v.e.Type)
	}
	m.add(&ir.Assign{LHS: lhs, RHS: to.e, Pos: pos})
}

// refuse reports a statement that has no module. If no operand has a module either, no later
// statement can report the mistake, so refuse ends the elaboration.
func refuse(u use, text string) {
	if !u.broken {
		u.errorf("direction", "%s", text)
	}
	if u.m == nil {
		panic(fatal{u.bad})
	}
}

// target returns the target that a Set of v assigns.
func (u *use) target(v *value) (ir.LValue, bool) {
	lhs, ok := lvalue(v.e)
	if !ok {
		u.errorf("direction", "only a signal, an element of a vector or bits of these can be set, not the result of %s", v.e.Op)
		return lhs, false
	}
	s := lhs.Sig
	switch {
	case s.Scope.Module != u.m.ir || !u.m.scope.Inside(s.Scope):
		u.errorf("scope", "%q cannot be set outside the scope that declares it", s.Name)
	case s.Pin != nil && !s.Driven():
		u.errorf("direction", "%q cannot be set: it is an output of instance %q", s.Name, s.Pin.Inst.Name)
	case !s.Driven():
		u.errorf("direction", "input %q cannot be set", s.Name)
	default:
		u.visible(v) // reports an index that depends on a loop outside its scope
	}
	if u.broken {
		u.m.el.refused[s] = true
	}
	return lhs, !u.broken
}

func lvalue(e *ir.Expr) (ir.LValue, bool) {
	switch {
	case e.Op == ir.Slice:
		l, ok := lvalue(e.Args[0])
		if l.Bits == 0 {
			l.Lo = 0
		}
		l.Lo, l.Bits = l.Lo+e.Lo, e.Type.Width
		return l, ok
	case e.Op == ir.Ref:
		return ir.LValue{Sig: e.Sig}, true
	case e.Op == ir.ElemAt && e.Args[0].Op == ir.Ref:
		return ir.LValue{Sig: e.Args[0].Sig, Part: true, Index: e.Index}, true
	case e.Op == ir.Elem && e.Args[0].Op == ir.Ref:
		return ir.LValue{Sig: e.Args[0].Sig, Dyn: e.Args[1]}, true
	}
	return ir.LValue{}, false
}
