package syntax

import "github.com/hotline-rtl/hotline/hw/ir"

// Object is anything a module declares: a net, a variable, a memory or a
// constant.
type Object struct {
	Name      string
	Kind      ObjectKind
	Width     int
	Depth     int        // words of a memory, else 0
	Loops     []*LoopVar // generate loops around the declaration, outermost first
	Style     string     // ram_style attribute
	Unchecked bool       // a memory that tools need not check for collisions
	Split     bool       // Verilator is to schedule its bits one by one
	Crosses   bool       // a register that takes values of another clock
	Opaque    bool       // Verilator is not to put its value in its place
	Comment   string
	Lens      []int  // of each dimension of a vector, outermost first, if a comment is to say so
	Elem      int    // width of its elements
	Group     string // heading of what stands in a row
	Pos       ir.Pos // of what it stands for

	Greatest int  // value of a constant that depends on loop variables
	Integer  bool // a constant with a value of 32 bits: it would have them, too, without a range
}

type ObjectKind uint8

// LoopVar is the variable of a generate loop or of a for statement; it runs
// from 0 to n-1.
type LoopVar struct {
	Name string
	N    int
}
