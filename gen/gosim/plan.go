package gosim

import (
	"github.com/hotline-rtl/hotline/hw/ir"
	"github.com/hotline-rtl/hotline/hw/ir/flat"
)

// value is an array of lanes values of width bits. One-bit values of several
// lanes are stored as bits of words.
type value struct {
	id           int
	width, lanes int
	room         int    // smallest size of a lane in memory, of several lanes; 0 for what the width needs
	node         *node  // that computes it; nil for registers and inputs
	reg          *regs  // that it is the present value of
	stored       bool   // it has storage, being used outside its unit
	doc          string // what it is, for a comment
	port         string // input that it is read from; empty for what is in the state
	only         bool   // it is the only element of that input
	of           *value // whose bits it is another view of; nil for values of their own
}

// bits tells whether v is stored as bits of words.
func (v *value) bits() bool { return v.width == 1 && v.lanes > 1 }

// words is the number of words of a lane.
func (v *value) words() int { return ir.Words(v.width) }

// ref is a lane of a value, or a constant.
type ref struct {
	v    *value
	lane int
	k    []uint64
}

// operand is what a node reads in each of its lanes.
type operand struct {
	v     *value // nil for constants
	at    form   // lane of v
	table []int  // lane of v, if no form fits
	k     []uint64
	ks    [][]uint64 // constants by lane, if they differ
	width int
}

// same tells whether lane l reads lane l.
func (o operand) same(lanes int) bool {
	return o.v != nil && o.table == nil && o.v.lanes == lanes && (o.at.identity() || lanes == 1)
}

// list is an operand of n elements: element k of lane l is lane base(l)+k*stride of v.
type list struct {
	v         *value
	n, stride int
	base      form
}

// node is one operation in all its lanes.
type node struct {
	id    int
	code  ir.Op
	lanes int
	nout  int
	out   *value
	width int
	args  []operand
	list  *list
	lo    form // Slice: first bit
	mem   *memory
	memAt form
	moves []ref // gather: where each lane comes from
	place string
	pos   ir.Pos
	unit  *unit
	mask  *value // lanes whose results are of use; nil for all
	elem  int    // bits of a lane, if several are evaluated at a time in a word
	when  *value // condition for computing a single lane, which has been computed before; nil for none
}

// regs is one register in all its lanes.
type regs struct {
	q     *value
	d     operand
	init  []uint64 // nil without reset
	clear *value   // lanes, or the only one for all, that take init; nil for none
	mask  *value   // lanes that take d; nil for all
	list  []int    // in flat.Design.Regs, by lane
}

// memory is one memory in all its lanes.
type memory struct {
	id           int
	depth, width int
	room         int // words of storage; those from depth on stay zero
	lanes        int
	list         []int    // in flat.Design.Mems, by lane
	init         []uint64 // as ir.Mem.Init
	writes       []*write
	readers      []int // units
}

// write is a port of a memory in all its lanes; lane l writes lane at[l].
type write struct {
	enable, addr, data operand
	lanes              int
	at                 form
}

// check is an assertion in all its lanes.
type check struct {
	fail *value // stored
	list []int  // in flat.Design.Checks, by lane
}

// plan is a design rolled up again into operations on arrays.
type plan struct {
	d         *flat.Design
	values    []*value
	nodes     []*node
	regs      []*regs
	mems      []*memory
	checks    []*check
	names     []string // Go names of ports
	inputs    []*value // by port; nil for outputs
	outputs   [][]ref  // by port; nil for inputs
	where     []ref    // by net
	memAt     []memRef // by flat memory
	gathers   map[string]*value
	views     map[*value]*value // by what they are views of
	units     []*unit
	readers   map[*value][]int // marks of what reads a value
	commits   map[*unit]int    // of registers whose next values a unit computes
	immediate bool             // one unit, evaluated after every edge
	pending   map[*unit][]int  // commits that evaluating a unit makes necessary
}

type memRef struct {
	m    *memory
	lane int
}

func (p *plan) newValue(width, lanes int) *value {
	v := &value{id: len(p.values), width: width, lanes: lanes}
	p.values = append(p.values, v)
	return v
}
