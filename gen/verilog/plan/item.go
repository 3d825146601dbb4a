package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// Item is a future item of a scope.
type Item struct {
	Kind   Kind
	at     int // number of the statement where it stands
	Stmts  []ir.Stmt
	Drives []ir.LValue // what it drives: each target once
	Inst   *ir.Instance
	Inner  *Scope
	// checks are the statements of a formal item that a simulator can check, too.
	Checks []ir.Stmt
	// domain is the clock of a clocked or formal item; nil for the module's own.
	Domain *ir.Domain
}

type Kind uint8
