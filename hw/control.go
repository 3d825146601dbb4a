package hw

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// place is a position for statements: a scope and a list of statements in it.
type place struct {
	scope *ir.Scope
	list  *[]ir.Stmt
}

func (m *Module) place() place { return place{m.scope, m.list} }

// within runs f and appends its statements to list.
func (m *Module) within(list *[]ir.Stmt, f func()) {
	if f == nil {
		return
	}
	saved := m.list
	m.list = list
	f()
	m.list = saved
}

func (m *Module) condition(c Bits, pos ir.Pos) *ir.Expr {
	u := m.statement(pos, c.value)
	v := u.want(c.value, 1, "condition")
	if u.visible(v); u.broken {
		v = u.nothing(ir.Type{Width: 1})
	}
	return v.e
}

// Chain continues a When.
type Chain struct {
	m    *Module
	at   place
	last *ir.When
}

// When makes the statements of f conditional on c being 1.
func (m *Module) When(c Bits, f func()) Chain { return m.when(c, f, ir.Caller(0)) }

func (m *Module) when(c Bits, f func(), pos ir.Pos) Chain {
	w := &ir.When{Cond: m.condition(c, pos), Pos: pos}
	m.add(w)
	m.within(&w.Then, f)
	return Chain{m, m.place(), w}
}

// ElseWhen makes f conditional on c being 1 and all earlier conditions of the chain being 0.
func (ch Chain) ElseWhen(c Bits, f func()) Chain {
	pos := ir.Caller(0)
	ch.check(pos)
	w := &ir.When{Cond: ch.m.condition(c, pos), Pos: pos}
	ch.last.Else = append(ch.last.Else, w)
	ch.m.within(&w.Then, f)
	return Chain{ch.m, ch.at, w}
}

// Else makes f conditional on all conditions of the chain being 0.
func (ch Chain) Else(f func()) {
	ch.check(ir.Caller(0))
	ch.m.within(&ch.last.Else, f)
}

// check reports a chain that is continued after its Else or in another block.
func (ch Chain) check(pos ir.Pos) {
	u := ch.m.statement(pos)
	switch {
	case len(ch.last.Else) > 0:
		u.errorf("scope", "the When at %s has an Else already", ch.last.Pos)
	case ch.m.place() != ch.at:
		u.errorf("scope", "the When at %s is continued in another block", ch.last.Pos)
	}
}

// Cases continues a Switch.
type Cases struct {
	m     *Module
	at    place
	s     *ir.Switch
	taken map[string]ir.Pos // values of the cases so far
}

// Switch starts a choice by the value of x.
func (m *Module) Switch(x Bits) Cases {
	pos := ir.Caller(0)
	u := m.statement(pos, x.value)
	v := u.known(x.value)
	if u.visible(v); u.broken {
		v = u.nothing(x.typ())
	}
	s := &ir.Switch{Of: v.e, Pos: pos}
	m.add(s)
	return Cases{m, m.place(), s, map[string]ir.Pos{}}
}

// Case makes f conditional on x being v.
func (c Cases) Case(v Bits, f func()) Cases { return c.any([]Bits{v}, f, ir.Caller(0)) }

// Any makes f conditional on x being one of the constants vs.
func (c Cases) Any(vs []Bits, f func()) Cases { return c.any(vs, f, ir.Caller(0)) }

func (c Cases) any(vs []Bits, f func(), pos ir.Pos) Cases {
	c.check(pos)
	k := &ir.Case{Pos: pos}
	if len(vs) == 0 {
		u := c.m.statement(pos)
		u.errorf("const", "a case without a value; expected at least one")
		k.Values = append(k.Values, u.nothing(c.s.Of.Type).e)
	}
	for _, v := range vs {
		k.Values = append(k.Values, c.value(v, pos))
	}
	c.s.Cases = append(c.s.Cases, k)
	c.m.within(&k.Body, f)
	return c
}

// value returns the constant of a case.
func (c Cases) value(v Bits, pos ir.Pos) *ir.Expr {
	u := c.m.statement(pos, v.value)
	of := c.s.Of.Type
	if of.Width == 0 { // the operand of the Switch has a mistake
		u.broken = true
	}
	e := u.want(v.value, of.Width, "value of the case").e
	if !u.broken && e.Op != ir.Const {
		u.errorf("const", "a case must be a constant")
	}
	if !u.broken {
		text := ir.ConstText(of.Width, e.Val)
		if other, taken := c.taken[text]; taken {
			u.errorf("const", "case %s is already at %s", text, other)
		}
		c.taken[text] = pos
	}
	if u.broken {
		return u.nothing(of).e
	}
	return e
}

// Default makes f conditional on x matching no case. Without cases f is unconditional.
func (c Cases) Default(f func()) {
	pos := ir.Caller(0)
	c.check(pos)
	if len(c.s.Default) > 0 {
		c.m.errorf(pos, "scope", "the Switch at %s has a Default already", c.s.Pos)
	}
	if len(c.s.Cases) == 0 { // no choice
		*c.m.list = slices.DeleteFunc(*c.m.list, func(s ir.Stmt) bool { return s == c.s })
		c.m.within(c.m.list, f)
		return
	}
	c.m.within(&c.s.Default, f)
}

// check reports a switch that is continued in another block.
func (c Cases) check(pos ir.Pos) {
	if u := c.m.statement(pos); c.m.place() != c.at {
		u.errorf("scope", "the Switch at %s is continued in another block", c.s.Pos)
	}
}

// Assert states that c is 1 whenever the statement is reached outside the reset of its instance.
// The engines and simulators of the Verilog check it; the latter print text with $error. Synthesis
// ignores assertions.
func (m *Module) Assert(c Bits, text string) { m.states(ir.Checked, c, text, ir.Caller(0)) }

// Assume asserts a condition of the inputs. Formal tools consider only inputs for which c holds;
// engines check it like Assert.
func (m *Module) Assume(c Bits, text string) { m.states(ir.Assumed, c, text, ir.Caller(0)) }

// Cover states that c can be 1 where the statement is reached. Formal tools search for a trace
// that reaches it; engines do not check it.
func (m *Module) Cover(c Bits, text string) { m.states(ir.Covered, c, text, ir.Caller(0)) }

func (m *Module) states(kind ir.Claim, c Bits, text string, pos ir.Pos) {
	m.add(&ir.Assert{Kind: kind, Cond: m.condition(c, pos), Text: text, Domain: m.here("assertion", text, pos), Pos: pos})
}

// For describes n copies of the hardware that f describes for the index i. Signals, memories and
// instances declared in f exist once per copy.
func (m *Module) For(name string, n int, f func(i Index)) {
	pos := ir.Caller(0)
	m.statement(pos)
	name = m.under + name
	m.claim("loop", name, pos)
	if m.list != &m.scope.Stmts {
		m.errorf(pos, "scope", "loop %q is inside a condition; put the condition inside the loop", name)
	}
	if n < 1 || n > ir.MaxLen {
		m.errorf(pos, "param", "loop %q has %d iterations; expected 1 to %d", name, n, ir.MaxLen)
		n = 1
	}
	loop := &ir.For{Name: name, N: n, Pos: pos}
	loop.Body = &ir.Scope{Module: m.ir, Parent: m.scope, Loop: loop}
	m.scope.Fors = append(m.scope.Fors, loop)
	outer := m.scope
	m.scope = loop.Body
	m.within(&loop.Body.Stmts, func() {
		f(Index{a: ir.Affine{Terms: []ir.Term{{Loop: loop, Mul: 1}}}, m: m, sc: loop.Body})
		m.finish()
	})
	m.scope = outer
}
