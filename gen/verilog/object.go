package verilog

import "github.com/hotline-rtl/hotline/hw/ir"

// object is anything a module declares: a net, a variable, a memory or a
// constant.
type object struct {
	name    string
	kind    objectKind
	width   int
	depth   int        // words of a memory, else 0
	loops   []*loopVar // generate loops around the declaration, outermost first
	style   string     // ram_style attribute
	any     bool       // a memory that tools need not check for collisions
	split   bool       // Verilator is to schedule its bits one by one
	crosses bool       // a register that takes values of another clock
	kept    bool       // Verilator is not to put its value in its place
	comment string
	lens    []int  // of each dimension of a vector, outermost first, if a comment is to say so
	elem    int    // width of its elements
	group   string // heading of what stands in a row
	pos     ir.Pos // of what it stands for

	greatest int  // value of a constant that depends on loop variables
	integer  bool // a constant with a value of 32 bits: it would have them, too, without a range
}

type objectKind uint8

// loopVar is the variable of a generate loop or of a for statement; it runs
// from 0 to n-1.
type loopVar struct {
	name string
	n    int
}
