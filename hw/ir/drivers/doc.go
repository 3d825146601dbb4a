// Package drivers lowers the structured statements of ir to one expression per driven signal.
// Conditions become multiplexers and memory writes get an enable. Loops and the module hierarchy
// are preserved. Lowering also checks that every element of a signal has exactly one driver and a
// value on every path.
//
// The result is the input of the loop check, the simulators and the Go generator. Verilog is
// printed from ir directly.
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
	// Drivers lists the drives of each signal in all scopes.
	Drivers map[*ir.Signal][]*Drive
}

// Scope is a lowered ir.Scope: its drives, writes and checks, which exist once per iteration.
type Scope struct {
	IR     *ir.Scope
	Drives []*Drive // registers included
	Writes []*Write
	Checks []*Check
}

// Drive assigns a wire its value or a register its next value, as a whole or for one element.
// LHS.Dyn is nil.
type Drive struct {
	Scope *ir.Scope
	LHS   ir.LValue
	Value *ir.Expr
	Pos   ir.Pos
}

// Write is a memory write port. Writes of one memory in the same cycle take effect in order. Each
// writes the whole word: Data includes the lanes that a mask excludes.
type Write struct {
	Mem                *ir.Mem
	Enable, Addr, Data *ir.Expr
	Pos                ir.Pos
}

// Check is an assertion that Cond is 1 if Enable is 1.
type Check struct {
	Enable, Cond *ir.Expr
	Text         string
	Domain       *ir.Domain // as in ir.Assert
	Pos          ir.Pos
}
