// Package drivers lowers the structured statements of ir to one expression per
// driven signal: conditions become multiplexers, memory writes get an enable.
// Loops and the module hierarchy stay. On the way it checks that every signal
// has exactly one driver for each element and a value on every path.
//
// What it returns feeds the loop check, the simulators and the Go generator;
// Verilog is printed from ir itself.
package drivers

import "github.com/hotline-rtl/hotline/hw/ir"

// Design is a lowered ir.Design.
type Design struct {
	IR      *ir.Design
	Modules map[*ir.Module]*Module
}

// Module is a lowered ir.Module.
type Module struct {
	IR     *ir.Module
	Scopes map[*ir.Scope]*Scope
	// Drivers are, for each signal, the drives of it in any scope.
	Drivers map[*ir.Signal][]*Drive
}

// Scope is what one ir.Scope does, once per iteration.
type Scope struct {
	IR     *ir.Scope
	Drives []*Drive // registers included
	Writes []*Write
	Checks []*Check
}

// Drive gives a wire its value or a register its next value, whole or one
// element of it. LHS.Dyn is nil.
type Drive struct {
	Scope *ir.Scope
	LHS   ir.LValue
	Value *ir.Expr
	Pos   ir.Pos
}

// Write is a memory write port. Writes of one memory in the same cycle happen
// in order. Each writes the whole word: what a mask leaves out is in Data.
type Write struct {
	Mem                *ir.Mem
	Enable, Addr, Data *ir.Expr
	Pos                ir.Pos
}

// Check is an assertion: Cond is 1 if Enable is.
type Check struct {
	Enable, Cond *ir.Expr
	Text         string
	Domain       *ir.Domain // as of ir.Assert
	Pos          ir.Pos
}
