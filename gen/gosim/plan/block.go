package plan

import (
	"slices"

	"github.com/hotline-rtl/hotline/hw/ir"
)

// Block is a sequence of steps.
type Block struct {
	Steps []*Step
	up    *Block // block with the choice that has this arm
	depth int
	after map[*Memory]bool // memories that are written before the arm
}

// Step is one thing that a block does: it evaluates a node, takes an arm of a choice, fills the
// outputs, or commits.
type Step struct {
	Node   *Node
	Choice *Choice
	Commit *Commit // without a register and a memory, it fills the outputs
	order  int
}

// Choice executes the arm whose key equals a number, or else the last arm. Results are choices
// between values, which take their value from the arm.
type Choice struct {
	On      Operand
	Keys    []uint64
	Arms    []*Block // by key, and the last
	Results []*Node
	stores  []chosen // registers that take their next value from the arm
}

// chosen is a register whose next value a node chooses.
type chosen struct {
	reg *Regs
	of  *Node
}

// Commit stores a value in a register, or in a word of a memory.
type Commit struct {
	Reg   *Regs
	Mem   *Memory
	Addr  Operand
	Value Operand
}

// values returns the values that the results take from an arm; nil for constants.
func (c *Choice) values(arm int) (values []*Value) {
	for _, n := range c.Results {
		values = append(values, c.Value(n, arm).V)
	}
	return values
}

// keys returns the numbers for which n chooses an argument other than its last. A multiplexer
// compares its condition with 1.
func (n *Node) keys() []uint64 {
	if n.Cases != nil {
		return n.Cases
	}
	return []uint64{1}
}

// Value returns the argument of n, a choice by the same number, in an arm of c.
func (c *Choice) Value(n *Node, arm int) Operand {
	if arm < len(c.Keys) {
		if i := slices.Index(n.keys(), c.Keys[arm]); i >= 0 {
			return n.Args[1+i]
		}
	}
	return n.Args[len(n.Args)-1]
}

// chooses reports whether n is a choice between values.
func (n *Node) chooses() bool {
	return n.Code == ir.Mux && n.Lanes == 1 && n.List == nil && n.Args[0].V != nil
}

// reads calls f for each value that evaluating n reads. Negated operands of a conjunction are read
// before they are negated.
func (n *Node) reads(f func(v *Value)) {
	n.Uses(func(v *Value, _ bool) { f(v) })
	if n.Code != ir.And {
		return
	}
	for _, a := range n.Args {
		if not := a.V.MadeBy(ir.Not); not != nil && not.Args[0].V != nil {
			f(not.Args[0].V)
		}
	}
}

// each calls f for b and all blocks inside it, in the order of execution.
func (b *Block) each(f func(b *Block)) {
	f(b)
	for _, s := range b.Steps {
		if s.Choice != nil {
			for _, arm := range s.Choice.Arms {
				arm.each(f)
			}
		}
	}
}

// common returns the innermost block that contains both.
func common(a, b *Block) *Block {
	for a != b {
		if a.depth >= b.depth {
			a = a.up
		} else {
			b = b.up
		}
	}
	return a
}
