package plan

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// Value is an array of lanes values of width bits. One-bit values of several
// lanes are stored as bits of words.
type Value struct {
	ID           int
	Width, Lanes int
	Room         int    // smallest size of a lane in memory, of several lanes; 0 for what the width needs
	Node         *Node  // that computes it; nil for registers and inputs
	reg          *Regs  // that it is the present value of
	Stored       bool   // it has storage, being used outside its unit
	Doc          string // what it is, for a comment
	Port         string // input that it is read from; empty for what is in the state
	Only         bool   // it is the only element of that input
	Of           *Value // whose bits it is another view of; nil for values of their own
}

// Bits tells whether v is stored as bits of words.
func (v *Value) Bits() bool { return v.Width == 1 && v.Lanes > 1 }

// Words is the number of words of a lane.
func (v *Value) Words() int { return ir.Words(v.Width) }

// Ref is a lane of a value, or a constant.
type Ref struct {
	V    *Value
	Lane int
	K    []uint64
}

// Operand is what a node reads in each of its lanes.
type Operand struct {
	V     *Value // nil for constants
	At    Form   // lane of v
	Table []int  // lane of v, if no form fits
	K     []uint64
	Ks    [][]uint64 // constants by lane, if they differ
	Width int
}

// Same tells whether lane l reads lane l.
func (o Operand) Same(lanes int) bool {
	return o.V != nil && o.Table == nil && o.V.Lanes == lanes && (o.At.identity() || lanes == 1)
}

// List is an operand of n elements: element k of lane l is lane base(l)+k*stride of v.
type List struct {
	V         *Value
	N, Stride int
	Base      Form
}

// Node is one operation in all its lanes.
type Node struct {
	id    int
	Code  ir.Op
	Lanes int
	Nout  int
	Out   *Value
	Width int
	Args  []Operand
	List  *List
	Cases []uint64 // of a choice by a number: this, a value for each case and that of all others are Args
	Lo    Form     // Slice: first bit
	Mem   *Memory
	MemAt Form
	Moves []Ref // gather: where each lane comes from
	Place string
	pos   ir.Pos
	Unit  *Unit
	mask  *Value // lanes whose results are of use; nil for all
	elem  int    // bits of a lane, if several are evaluated at a time in a word
	When  *Value // condition for computing a single lane, which has been computed before; nil for none
}

// Regs is one register in all its lanes.
type Regs struct {
	Q     *Value
	D     Operand
	Init  []uint64 // nil without reset
	Clear *Value   // lanes, or the only one for all, that take init; nil for none
	Mask  *Value   // lanes that take d; nil for all
	List  []int    // in netlist.Design.Regs, by lane
}

// Memory is one memory in all its lanes.
type Memory struct {
	ID           int
	Depth, Width int
	Room         int // words of storage; those from depth on stay zero
	Lanes        int
	Copied       bool     // lanes are those of copies, which all use them in every cycle
	List         []int    // in netlist.Design.Mems, by lane
	Init         []uint64 // as ir.Mem.Init
	Writes       []*Write
	Readers      []int // units
}

// Write is a port of a memory in all its lanes; lane l writes lane at[l].
type Write struct {
	Enable, Addr, Data Operand
	Lanes              int
	At                 Form
}

// Operands are what w reads.
func (w *Write) Operands() []Operand { return []Operand{w.Enable, w.Addr, w.Data} }

// check is an assertion in all its lanes.
type check struct {
	Fail *Value // stored
	List []int  // in netlist.Design.Checks, by lane
}

// Plan is a design rolled up again into operations on arrays.
type Plan struct {
	D         *netlist.Design
	Values    []*Value
	nodes     []*Node
	Regs      []*Regs
	Mems      []*Memory
	Checks    []*check
	Names     []string // Go names of ports
	Inputs    []*Value // by port; nil for outputs
	Outputs   [][]Ref  // by port; nil for inputs
	where     []Ref    // by net
	MemAt     []memRef // by flat memory
	gathers   map[string]*Value
	views     map[*Value]*Value // by what they are views of
	Units     []*Unit
	Readers   map[*Value][]int // marks of what reads a value
	Commits   map[*Unit]int    // of registers whose next values a unit computes, necessary once it is evaluated
	Immediate bool             // one unit, evaluated after every edge
	ofCopies  bool             // lanes are those of copies
}

type memRef struct {
	M    *Memory
	lane int
}

func (p *Plan) newValue(width, lanes int) *Value {
	v := &Value{ID: len(p.Values), Width: width, Lanes: lanes}
	p.Values = append(p.Values, v)
	return v
}
