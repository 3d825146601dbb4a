package funcs

import (
	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/names"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
	"github.com/hotline-rtl/hotline/hw/ir"
)

// block executes the steps of b.
func (e *Printer) block(b *plan.Block) {
	for _, s := range b.Steps {
		switch c := s.Commit; {
		case s.Node != nil:
			e.node(s.Node)
		case s.Choice != nil:
			e.branch(s.Choice)
		case c.Reg != nil:
			e.setRegister(c)
		case c.Mem != nil:
			e.Doing = func() string { return "memory writes" }
			e.writeWord(c.Mem, storage.Lane0, c.Addr, c.Value, func(at, data []*code.Expr) { e.writing(c.Mem, at, data) })
		default:
			e.outputs()
		}
	}
}

// branch executes an arm of c. Results are variables that each arm sets.
func (e *Printer) branch(c *plan.Choice) {
	names := make([][]*code.Expr, len(c.Results))
	for i, n := range c.Results {
		names[i] = e.names(n.Out, ir.Words(n.Width))
		for _, x := range names[i] {
			e.Do(&code.Var{Name: x, Type: "uint64"})
		}
	}
	arm := func(k int) []code.Stmt {
		return e.Within(func() {
			e.block(c.Arms[k])
			for i, n := range c.Results {
				for w, x := range e.Read(c.Value(n, k)) {
					e.Put(names[i][w], x)
				}
			}
		})
	}
	on, last := e.Read(c.On)[0], len(c.Keys)
	if c.On.Width == 1 && last == 1 && c.Keys[0] == 1 {
		e.Do(&code.If{Cond: on.Differs(code.Zero), Then: arm(0), Else: arm(1)})
	} else {
		s := &code.Switch{X: on}
		for k, key := range c.Keys {
			s.Cases = append(s.Cases, &code.Case{Values: []*code.Expr{code.Num(key)}, Body: arm(k)})
		}
		s.Else = arm(last)
		e.Do(s)
	}
	for i, n := range c.Results {
		e.result(n, names[i])
	}
}

// setRegister stores the next value of a register.
func (e *Printer) setRegister(c *plan.Commit) {
	q := c.Reg.Q
	for _, u := range e.p.Units {
		if u.From[q] && !e.asking {
			e.Put(stale(u), code.Int(1))
		}
	}
	if q.Lanes > 1 {
		next := storage.Field(c.Value.V)
		if e.asking {
			e.differs(c.Reg, storage.Field(q).Differs(next))
		} else {
			e.Put(storage.Field(q), next)
		}
		return
	}
	words := e.Read(c.Value)
	if len(words) > 1 {
		words = e.Variables(words)
	}
	if !e.asking {
		e.storeLane(q, storage.Lane0, words)
		return
	}
	for i, old := range storage.Lane(q, storage.Lane0) {
		e.differs(c.Reg, old.Differs(words[i]))
	}
}

// differs reports a change if a register differs from its next value. A reset decides about
// registers with an initial value.
func (e *Printer) differs(r *plan.Regs, condition *code.Expr) {
	if r.Init != nil {
		condition = code.Op("&&", code.Name("s.Reset").False(), condition)
	}
	e.change(condition)
}

// change leaves a function that asks for changes.
func (e *Printer) change(condition *code.Expr) {
	e.When(condition, func() { e.Do(&code.Return{X: code.Name("true")}) })
}

// writing stores a word of m, or asks whether that changes the word.
func (e *Printer) writing(m *plan.Memory, at, data []*code.Expr) {
	for i, x := range data {
		if e.asking {
			e.change(code.Word(at[i]).Differs(x))
		} else {
			e.Put(at[i], wordOf(m, x))
		}
	}
}

// printWhole prints the functions of a design that is evaluated as a whole: an edge, and whether it
// would change anything.
func (e *Printer) printWhole(u *plan.Unit) {
	derived := e.p.Units[:len(e.p.Units)-1]
	e.f("// derive computes derived values.\nfunc (s *Model) derive() {\n")
	for _, d := range derived {
		e.f("s.%s()\n", names.Unit(d))
	}
	e.f("}\n\n// edge fills the outputs, and then sets registers and writes memories.\n")
	e.function("edge()", u, func() {
		for _, d := range derived {
			e.Do(&code.Var{Name: stale(d), Type: "uint64"})
		}
		e.whole(u)
		for _, d := range derived {
			e.When(stale(d).Differs(code.Zero), func() { e.Do(&code.Do{X: code.Call("s." + names.Unit(d))}) })
		}
	})
	e.f("// changes reports whether an edge would change anything, except by a reset.\n")
	e.asking = true
	e.function("changes() bool", u, func() {
		e.whole(u)
		e.Do(&code.Return{X: code.Name("false")})
	})
	e.asking = false
}

// stale returns the variable that is not zero if an edge has set registers of a derived unit.
func stale(u *plan.Unit) *code.Expr { return code.Name("d%d", u.ID) }

// whole executes all of u. Registers that are set early keep their present values in variables.
func (e *Printer) whole(u *plan.Unit) {
	for _, q := range u.Kept {
		e.Local[q] = e.Variables(storage.Lane(q, storage.Lane0))
	}
	e.block(u.Body)
}
