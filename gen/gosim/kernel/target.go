package kernel

import "strings"

// Target is an instruction set of amd64 for which an Assembly prints kernels. Each target has a
// package below this one. The makers of kernels pass the targets that they want to Assembly.Add.
//
// The Assembly divides the lanes of a kernel into vectors and decides whether they need a loop. For
// each vector, it asks the target's Selector for the instructions of one operation after the other,
// on virtual registers. It then allocates registers and adds the common parts: the loop, the entry
// and exit of the function, and groups of changes.
type Target interface {
	// Name returns the name of the instruction set.
	Name() string
	// Features returns the registers and limits of the target.
	Features() Features
	// Selector returns a Selector that appends the instructions of one kernel to code.
	Selector(code *Code) Selector
}

// Level returns the name of the constant, in the package of a model, for the level of models that
// support a target.
func Level(t Target) string { return strings.ToLower(t.Name()) }

// Selector selects the instructions of one kernel.
type Selector interface {
	// Begin begins another vector. No register has a value then.
	Begin()
	// Select appends the instructions of i, whose result is v. It may use all methods of the selector.
	Select(v Value, i Inst)
}

// Features contains the registers of a target and its limits.
type Features struct {
	Longest   int    // bits of the longest vector
	Letter    string // of the registers for these
	Registers int    // for vectors
	Sums      int    // of these, the most that gather changes of words
	Groups    int    // most groups of changes of words; beyond those in registers they are on the stack
	Mixed     bool   // a kernel may have words of several sizes, and scatter them
	Parts     bool   // a vector may have a part of the lanes of a byte of a mask
	Move      string // instruction that loads or stores a vector
	Xor, Or   string // instructions on vectors
	Test      string // format of instructions that set R9 to zero if a register is, else to something else
}
