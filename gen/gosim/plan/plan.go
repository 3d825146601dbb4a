package plan

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/netlist"
)

// Value is an array of Lanes values of Width bits. One-bit values with several lanes are stored as
// bits of words.
type Value struct {
	ID           int
	Width, Lanes int
	Room         int    // minimum size in bits of a lane in memory, if there are several lanes; 0 for the size that the width needs
	Node         *Node  // node that computes the value; nil for registers and inputs
	reg          *Regs  // register whose present value this is; else nil
	Stored       bool   // the value is used outside its unit, so it needs storage
	Doc          string // description, for a comment
	Port         string // expression of the input from which it is read; empty for values in the state
	Only         bool   // the value is the only element of that input
	Of           *Value // value whose bits this is a view of; nil for a value with its own storage
}

// Bits reports whether v is stored as bits of words.
func (v *Value) Bits() bool { return v.Width == 1 && v.Lanes > 1 }

// Words returns the number of words of a lane.
func (v *Value) Words() int { return ir.Words(v.Width) }

// Ref is a lane of a value, or a constant.
type Ref struct {
	V    *Value
	Lane int
	K    []uint64
}

// Operand describes the value or constant that a node reads in each of its lanes.
type Operand struct {
	V     *Value // nil for constants
	At    Form   // lane of V
	Table []int  // lane of V for each lane, if no form fits
	K     []uint64
	Ks    [][]uint64 // constants by lane, if they differ
	Width int
}

// Same reports whether lane l reads lane l.
func (o Operand) Same(lanes int) bool {
	return o.V != nil && o.Table == nil && o.V.Lanes == lanes && (o.At.identity() || lanes == 1)
}

// List is an operand of N elements: element k of lane l is lane Base(l)+k*Stride of V.
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
	Cases []uint64 // choice by a number: Args are the number, a value for each case, and the default
	Lo    Form     // Slice: first bit
	Mem   *Memory
	MemAt Form
	Moves []Ref // gather: source of each lane
	Place string
	pos   ir.Pos
	Unit  *Unit
	mask  *Value // lanes whose results are needed; nil for all
	elem  int    // bits of a lane, if several are evaluated at a time in a word
}

// Regs is one register in all its lanes.
type Regs struct {
	Q     *Value
	D     Operand
	Init  []uint64 // nil without reset
	Clear *Value   // lanes that take Init, or one lane for all; nil for none
	Mask  *Value   // lanes that take D; nil for all
	List  []int    // in netlist.Design.Regs, by lane
}

// Memory is one memory in all its lanes.
type Memory struct {
	ID           int
	Depth, Width int
	Room         int // words of storage; words from Depth on stay zero
	Lanes        int
	Copied       bool     // lanes belong to a batch of instances, which all use them in every cycle
	List         []int    // in netlist.Design.Mems, by lane
	Init         []uint64 // as ir.Mem.Init
	Writes       []*Write
	Readers      []int // units
}

// Write is a port of a memory in all its lanes; lane l writes lane At(l) of the memory.
type Write struct {
	Enable, Addr, Data Operand
	Lanes              int
	At                 Form
}

// Operands returns the operands that w reads.
func (w *Write) Operands() []Operand { return []Operand{w.Enable, w.Addr, w.Data} }

// check is an assertion in all its lanes.
type check struct {
	Fail *Value // stored
	List []int  // in netlist.Design.Checks, by lane
}

// Plan is a design vectorized into operations on arrays.
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
	views     map[*Value]*Value // by viewed value
	Units     []*Unit
	Readers   map[*Value][]int // marks of the readers of a value
	Commits   map[*Unit]int    // commit of the registers whose next values a unit computes; required once the unit is evaluated
	Immediate bool             // the design is one unit, which executes an edge
	Preview   *Unit            // of such a design: nodes that outputs need, to fill them between edges
	loops     bool             // some operations have several lanes, next to which gathering elements pays
	ofCopies  bool             // lanes belong to a batch of instances
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
