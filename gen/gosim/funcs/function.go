package funcs

import (
	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
)

// function prints a method: what body does in the context of u, and the marking of who
// must know of changes.
func (e *Printer) function(signature string, u *plan.Unit, body func()) {
	e.Begin(u)
	e.marks = nil
	stmts := e.Within(body)
	stmts = append(stmts, e.marking()...)
	if u.Mask != nil { // who reads what it would have computed does so once the mask has changed
		stmts = []code.Stmt{&code.If{Cond: storage.Nonzero(u.Mask), Then: stmts}}
	}
	e.f("func (s *Model) %s {\n", signature)
	for i := range e.marks {
		e.f("var c%d uint64\n", i)
	}
	e.print(stmts)
	e.f("}\n\n")
}

// print prints statements.
func (e *Printer) print(stmts []code.Stmt) { code.Print(e.b, code.Prune(stmts)) }
