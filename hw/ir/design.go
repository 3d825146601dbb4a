package ir

import (
	"fmt"
	"strings"
)

// Limits of a design: bits of a value, elements of a vector and iterations of a
// loop, words of a memory.
const (
	MaxWidth = 1 << 20
	MaxLen   = 1 << 16
	MaxDepth = 1 << 31
)

// Type is the shape of a value: a vector of Len elements of Width bits, or a
// scalar of Width bits when Len is 0.
type Type struct {
	Width int
	Len   int
}

// IsVec tells whether t is a vector.
func (t Type) IsVec() bool { return t.Len > 0 }

// Elem is the type of an element of a vector (of t itself for a scalar).
func (t Type) Elem() Type { return Type{Width: t.Width} }

// Bits is the total number of bits.
func (t Type) Bits() int { return t.Width * max(1, t.Len) }

// Count is the number of elements, 1 for a scalar.
func (t Type) Count() int { return max(1, t.Len) }

func (t Type) String() string {
	if t.IsVec() {
		return fmt.Sprintf("%dx%d", t.Len, t.Width)
	}
	return fmt.Sprintf("%d", t.Width)
}

// Extent is the text of so many bits, in a vector if it has lengths: 4 x 8 x 16.
func Extent(width int, lens []int) string {
	s := ""
	for _, n := range lens {
		s += fmt.Sprintf("%d x ", n)
	}
	return s + fmt.Sprint(width)
}

// Kind is what a Signal is.
type Kind uint8

const (
	Input Kind = iota // port, driven from outside
	Output
	Wire
	Reg
)

func (k Kind) String() string { return [...]string{"input", "output", "wire", "reg"}[k] }

// Signal is a port, wire or register of one Scope. In the body of a For it
// exists once per iteration.
type Signal struct {
	Name     string
	Kind     Kind
	Type     Type
	Lens     []int // of each dimension of a vector of several, outermost first; else nil
	Scope    *Scope
	HasReset bool     // Reg: takes Init while its instance is in reset
	Init     []uint64 // Reg: reset value of every element
	Enum     *Enum    // one of the module's Enums, if its values have names
	Pin      *Pin     // not nil if the wire is a port of an instance
	Domain   *Domain  // of the module: whose clock a register follows; nil for the module's own
	Unused   bool     // nothing reads it, on purpose
	Kept     bool     // Reg: engines keep it all the same, to be read from outside
	Crosses  Crossing // Reg: how it takes values of other clocks; package hw refuses others that do
	Group    string   // heading of signals in a row that belong together, or ""
	Doc      string
	Pos      Pos
}

// Pin says which port of which instance a wire of the parent stands for.
type Pin struct {
	Inst *Instance
	Port *Signal // ResetPort for Inst.Reset
}

// ResetPort stands for rst, which no module declares, in the Pin of an
// Instance.Reset.
var ResetPort = &Signal{Name: "rst", Kind: Input, Type: Type{Width: 1}}

// Driven tells whether statements of s's own scope (or loops in it) must drive
// s: true for outputs, registers, plain wires and the input pins of instances.
func (s *Signal) Driven() bool {
	if s.Pin != nil {
		return s.Pin.Port.Kind == Input
	}
	return s.Kind != Input
}

// Mem is a memory: Depth words of Width bits. Reads are combinational
// (a register assigned from one makes the read synchronous); writes happen at
// the clock edge, so that a read in the same cycle gives the old word.
type Mem struct {
	Name         string
	Depth, Width int
	Scope        *Scope
	Style        string   // ram_style attribute (see RAMStyle), or ""
	Domain       *Domain  // whose clock writes follow; nil for the module's own
	Any          bool     // what registers read of a word that is being written does not matter
	Init         []uint64 // contents, Words(Width) for each word; nil if unknown until written
	Doc          string
	Pos          Pos
}

// InitWord is what word i of m holds at first; nil if m has no contents.
func (m *Mem) InitWord(i int) []uint64 {
	if m.Init == nil {
		return nil
	}
	n := Words(m.Width)
	return m.Init[i*n:][:n]
}

// Instance is a use of a Module. Pins are in the order of Of.Ports; each is a
// wire of the scope that holds the instance.
type Instance struct {
	Name  string
	Of    *Module
	Pins  []*Signal
	Reset *Signal // a pin, too: while it is 1, the instance is in reset; or nil
	// Domain gives the instance the clock and reset that it has as its own; nil if
	// those of the module do.
	Domain *Domain
	Pads   []*Pad // of the module around it, in the order of Of.Pads
	Pos    Pos
}

// For is a scope that exists N times, for a loop variable 0..N-1.
type For struct {
	Name string // of the generate block
	N    int
	Body *Scope
	Pos  Pos
}

// Scope is the body of a Module or of a For.
type Scope struct {
	Module  *Module
	Parent  *Scope // nil for a module body
	Loop    *For   // nil for a module body
	Signals []*Signal
	Mems    []*Mem
	Insts   []*Instance
	Fors    []*For
	Stmts   []Stmt
}

// Enum gives names to values of Width bits. Constants of them are labelled.
type Enum struct {
	Name   string
	Width  int
	Hex    bool        // its author reads values in hexadecimal
	Values []EnumValue // in ascending order
}

// EnumValue is a value of an Enum.
type EnumValue struct {
	Value uint64
	Name  string
}

// Label is the name of the constant of v, OPCODE_GATHER of the value gather of opcode,
// or "" if v has no name.
func (e *Enum) Label(v uint64) string {
	for _, x := range e.Values {
		if x.Value == v {
			return strings.ToUpper(e.Name + "_" + x.Name)
		}
	}
	return ""
}

// Module is one elaborated hardware module.
type Module struct {
	Name   string
	Params string // the Go parameter value, for people
	Doc    string
	Enums  []*Enum
	Own    Own
	// Domains are the clocks that are ports. A module with any has no clock of its own.
	Domains []*Domain
	Ports   []*Signal // without its own clock and reset; also in Body.Signals
	Pads    []*Pad
	Extern  *Extern  // not nil if the module is foreign Verilog
	Generic *Generic // not nil if it is one of several that differ in a Verilog parameter
	Body    *Scope
	Clock   bool // it or a child of it has state that follows its own clock
	Reset   bool // it or a child of it has a register that its own reset resets
	Pos     Pos
}

// LeastProbes is how many values text with a parameter is found from: through any two goes
// a line.
const LeastProbes = 3

// Design is an elaborated hierarchy.
type Design struct {
	Top     *Module
	Modules []*Module // callees before callers; Top is last
	// Probes are in no instance of Modules. They tell how the text of a Generic follows
	// from its parameter, with the modules that they need, callees before callers.
	Probes []*Module
}

// Generic says that a Module describes a Verilog module for one value of a parameter. It
// counts if there are enough modules to find the text from, LeastProbes; else, as in a part
// of a design, each module stands alone.
type Generic struct {
	Name   string // of the Verilog module
	Params string // the other parameters, for people
	Param  string // name of the parameter in Verilog
	Value  int
	Probe  bool // the text is found from this value, and others of its kind
}

// Plain makes each value of a Verilog parameter a module of its own. A pass that changes
// modules needs it: their text may then follow from no parameter.
func (d *Design) Plain() {
	d.Probes = nil
	for _, m := range d.Modules {
		m.Generic = nil
	}
}

// Walk calls f for s and all scopes inside it, outermost first.
func (s *Scope) Walk(f func(*Scope)) {
	f(s)
	for _, l := range s.Fors {
		l.Body.Walk(f)
	}
}

// Copies is how often s exists in its module.
func (s *Scope) Copies() int {
	n := 1
	for ; s.Loop != nil; s = s.Parent {
		n *= s.Loop.N
	}
	return n
}

// Inside tells whether s is outer or nested in it.
func (s *Scope) Inside(outer *Scope) bool {
	for ; s != nil; s = s.Parent {
		if s == outer {
			return true
		}
	}
	return false
}

// Clocking tells whether m needs a clock and a reset of its own: what Clock and Reset
// must be.
func (m *Module) Clocking() (clock, reset bool) {
	m.Body.Walk(func(s *Scope) {
		for _, x := range s.Mems {
			clock = clock || x.Domain == nil
		}
		for _, g := range s.Signals {
			clock = clock || g.Kind == Reg && g.Domain == nil
			reset = reset || g.HasReset && g.Domain == nil
		}
		for _, i := range s.Insts {
			clock = clock || i.Of.Clock && i.Domain == nil
			reset = reset || i.Of.Reset && i.Domain == nil
		}
		WalkStmts(s.Stmts, func(st Stmt) {
			if a, ok := st.(*Assert); ok && a.Domain == nil {
				clock, reset = true, true
			}
		})
	})
	return clock, reset
}

// RAMStyle tells whether style is one that Mem.Style may have.
func RAMStyle(style string) bool {
	switch style {
	case "", "block", "ultra", "distributed", "registers":
		return true
	}
	return false
}

// Port is the port of that name, or nil.
func (m *Module) Port(name string) *Signal {
	for _, p := range m.Ports {
		if p.Name == name {
			return p
		}
	}
	return nil
}
