package kernel

import "strings"

// Target is a set of instructions that kernels are printed with.
type Target struct {
	Name string

	longest   int    // bits of the longest vector
	letter    string // of its registers
	registers int    // for vectors
	sums      int    // of these, the most that gather changes of words
	groups    int    // most groups of changes of words; beyond those in registers they are on the stack
	sizes     bool   // a kernel may have words of several sizes, and scatter them
	parts     bool   // a vector may have a part of the lanes of a byte of a mask
	move      string // loads or stores a vector
	xor, or   string
	test      string // sets R9 to zero if a register is, else to something else
	choose    func(*selector, Value, Inst)
}

// Level is the name of the constant that is the model's level with these instructions, in the package of
// the model.
func (t *Target) Level() string { return strings.ToLower(t.Name) }

// Targets are all, the best first.
var Targets = []*Target{AVX512, AVX2}
