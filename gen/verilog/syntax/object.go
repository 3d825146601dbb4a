package syntax

import "github.com/hotline-rtl/hotline/hw/ir"

// Object is anything that a module declares: a net, a variable, a memory or a constant.
type Object struct {
	Name    string
	Kind    ObjectKind
	Width   int
	Depth   int        // words of a memory, else 0
	Loops   []*LoopVar // generate loops around the declaration, outermost first
	Comment string
	Lens    []int  // of each dimension of a vector, outermost first, if a comment shows them
	Elem    int    // width of its elements
	Group   string // heading of neighbours with the same group
	Pos     ir.Pos // in the description, for errors

	// Attributes and hints for tools.
	Style     string // ram_style of a memory
	Unchecked bool   // a memory whose collisions need no logic
	Crosses   bool   // a register that takes values of another clock
	Split     bool   // Verilator schedules its bits one by one
	Opaque    bool   // Verilator must not replace it by its value

	// Of constants.
	Greatest int  // value over all iterations of the loops around
	Integer  bool // has a value of 32 bits, and so a range even where it is 1 bit wide
}

// ObjectKind classifies objects by how they are declared.
type ObjectKind uint8

// The kinds of objects.
const (
	Wire ObjectKind = iota
	Reg
	Input
	Output
	OutputReg
	Inout
	Memory
	Localparam
)

// LoopVar is the variable of a generate loop or of a for statement. It runs from 0 to N-1.
type LoopVar struct {
	Name string
	N    int
}

// Times returns n*v.
func (v *LoopVar) Times(n int) Affine { return Affine{Terms: []Term{{v, n}}} }

// LoopVarWidth is the width of a loop variable in bits.
const LoopVarWidth = 32
