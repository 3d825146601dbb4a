package funcs

import (
	"github.com/hotline-rtl/hotline/gen/gosim/code"
	"github.com/hotline-rtl/hotline/gen/gosim/plan"
	"github.com/hotline-rtl/hotline/gen/gosim/storage"
)

// function prints a method: the statements of body in the context of u, followed by the statements
// that mark the readers of changed values.
func (e *Printer) function(signature string, u *plan.Unit, body func()) {
	e.Begin(u)
	e.marks = nil
	stmts := e.Within(body)
	stmts = append(stmts, e.marking()...)
	if u.Mask != nil { // readers of skipped results are evaluated once the mask has changed
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
