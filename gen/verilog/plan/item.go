package plan

import "github.com/hotline-rtl/hotline/hw/ir"

// Item describes a future item of the text.
type Item struct {
	Kind   Kind
	Stmts  []ir.Stmt    // of all kinds but Instance and Loop
	Checks []ir.Stmt    // of Formal: the part of Stmts that a simulator can check
	Drives []ir.LValue  // each target once
	Domain *ir.Domain   // the clock of Clocked and Formal, nil for the module's own
	Inst   *ir.Instance // of Instance
	Inner  *Scope       // of Loop

	at int // number of the statement whose place it takes
}

// Kind says how an item is written.
type Kind uint8

// The kinds of items.
const (
	Assign   Kind = iota // an assign of one value
	Block                // an always block that computes one value in a loop
	Mux                  // assigns of conditional expressions
	Clocked              // an always block of registers and memories
	Comb                 // an always block of wires
	Instance             // an instance
	Loop                 // a generate loop
	Formal               // assertions
)
