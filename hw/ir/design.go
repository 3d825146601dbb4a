package ir

import (
	"fmt"
	"slices"
	"strings"
)

// Limits of a design: bits of a value, elements of a vector or iterations of a loop, and words of
// a memory.
const (
	MaxWidth = 1 << 20
	MaxLen   = 1 << 16
	MaxDepth = 1 << 31
)

// Type is the shape of a value: a vector of Len elements of Width bits, or a scalar of Width bits
// if Len is 0.
type Type struct {
	Width int
	Len   int
}

// IsVec reports whether t is a vector.
func (t Type) IsVec() bool { return t.Len > 0 }

// Elem returns the type of an element of a vector, or t itself for a scalar.
func (t Type) Elem() Type { return Type{Width: t.Width} }

// Bits returns the total number of bits.
func (t Type) Bits() int { return t.Width * max(1, t.Len) }

// Count returns the number of elements, 1 for a scalar.
func (t Type) Count() int { return max(1, t.Len) }

func (t Type) String() string {
	if t.IsVec() {
		return fmt.Sprintf("%dx%d", t.Len, t.Width)
	}
	return fmt.Sprintf("%d", t.Width)
}

// Extent formats a number of bits with the lengths of the surrounding dimensions: 4 x 8 x 16.
func Extent(width int, lens []int) string {
	s := ""
	for _, n := range lens {
		s += fmt.Sprintf("%d x ", n)
	}
	return s + fmt.Sprint(width)
}

// Kind classifies a Signal.
type Kind uint8

const (
	Input Kind = iota // a port, driven from outside
	Output
	Wire
	Reg
)

func (k Kind) String() string { return [...]string{"input", "output", "wire", "reg"}[k] }

// Signal is a port, wire or register of a Scope. In the body of a For it exists once per
// iteration.
type Signal struct {
	Name     string
	Kind     Kind
	Type     Type
	Lens     []int // per dimension, outermost first, if a vector has several; else nil
	Scope    *Scope
	HasReset bool     // Reg: takes Init while its instance is in reset
	Init     []uint64 // Reg: reset value of every element
	Enum     *Enum    // the module's Enum that names the values, or nil
	Pin      *Pin     // not nil if the wire is a port of an instance
	Domain   *Domain  // the domain of the module whose clock a register follows; nil for the module's own
	Unused   bool     // intentionally unread
	Kept     bool     // Reg: engines keep it even if unread, for access from outside
	Crosses  Crossing // Reg: how it captures values of other clocks; package hw rejects other crossings
	Group    string   // heading of consecutive signals that belong together, or ""
	Doc      string
	Pos      Pos
}

// Pin identifies the port of an instance that a wire of the parent represents.
type Pin struct {
	Inst *Instance
	Port *Signal // ResetPort for Inst.Reset
}

// ResetPort represents rst, which no module declares, in the Pin of an Instance.Reset.
var ResetPort = &Signal{Name: "rst", Kind: Input, Type: Type{Width: 1}}

// Driven reports whether statements in the scope of s, or in loops inside it, must drive s. This
// holds for outputs, registers, plain wires and the input pins of instances.
func (s *Signal) Driven() bool {
	if s.Pin != nil {
		return s.Pin.Port.Kind == Input
	}
	return s.Kind != Input
}

// Mem is a memory of Depth words of Width bits. Reads are combinational; a register assigned from
// a read makes the read synchronous. Writes take effect at the clock edge, so that a read in the
// same cycle returns the old word.
type Mem struct {
	Name         string
	Depth, Width int
	Scope        *Scope
	Style        string   // ram_style attribute (see RAMStyle), or ""
	Domain       *Domain  // the domain whose clock writes follow; nil for the module's own
	Any          bool     // registers may read any value of a word that is being written
	Init         []uint64 // contents, Words(Width) per word; nil if unknown until written
	Doc          string
	Pos          Pos
}

// InitWord returns the initial value of word i of m, or nil if m has no contents.
func (m *Mem) InitWord(i int) []uint64 {
	if m.Init == nil {
		return nil
	}
	n := Words(m.Width)
	return m.Init[i*n:][:n]
}

// Instance is an instance of a Module. Pins are in the order of Of.Ports; each is a wire of the
// scope that contains the instance.
type Instance struct {
	Name  string
	Of    *Module
	Pins  []*Signal
	Reset *Signal // a pin that keeps the instance in reset while it is 1, or nil
	// Domain provides the clock and reset that the instance uses as its own. If it is nil, they
	// come from the module around it.
	Domain *Domain
	Pads   []*Pad // pads of the surrounding module, in the order of Of.Pads
	Pos    Pos
}

// For is a scope that exists N times, for values 0 to N-1 of a loop variable.
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

// Enum names values of Width bits. Constants with these values have labels.
type Enum struct {
	Name   string
	Width  int
	Hex    bool        // printed in hexadecimal
	Values []EnumValue // in ascending order
}

// EnumValue is a value of an Enum.
type EnumValue struct {
	Value uint64
	Name  string
}

// Label returns the name of the constant for v, or "" if v has no name. For value gather of enum
// opcode it is OPCODE_GATHER.
func (e *Enum) Label(v uint64) string {
	for _, x := range e.Values {
		if x.Value == v {
			return strings.ToUpper(e.Name + "_" + x.Name)
		}
	}
	return ""
}

// Module is an elaborated hardware module.
type Module struct {
	Name       string
	Parameters []Parameter
	Doc        string
	Enums      []*Enum
	Own        Own
	// Domains are the clocks that are ports. A module with Domains has no clock of its own.
	Domains []*Domain
	Ports   []*Signal // without its own clock and reset; also in Body.Signals
	Pads    []*Pad
	Extern  *Extern  // not nil if the module is an external Verilog module
	Generic *Generic // not nil if it is one of several that differ in a Verilog parameter
	Body    *Scope
	Clock   bool // it or an instance in it has state that follows its own clock
	Reset   bool // it or an instance in it has a register that its own reset resets
	Pos     Pos
}

// Parameter is a parameter of the generator of a module, for display.
type Parameter struct {
	Name, Value string
	Generic     bool // its value is the value of the module's Generic
	Doc         string
}

// Fixed returns the parameters that all modules of the Generic of m share.
func (m *Module) Fixed() []Parameter {
	return slices.DeleteFunc(slices.Clone(m.Parameters), func(p Parameter) bool { return p.Generic })
}

// LeastProbes is the minimum number of values from which parameterized text is derived. Two values
// are not enough, because any two points fit a line.
const LeastProbes = 3

// Design is an elaborated hierarchy.
type Design struct {
	Top     *Module
	Modules []*Module // callees before callers; Top is last
	// Probes are not instantiated by Modules. They show how the text of a Generic depends on its
	// parameter. The list includes the modules that the probes need, callees before callers.
	Probes []*Module
}

// Generic states that a Module is a Verilog module for one value of a parameter. It takes effect
// only if at least LeastProbes modules are available to derive the text. Otherwise, for example in
// a part of a design, each module is independent.
type Generic struct {
	Name  string // of the Verilog module
	Param string // name of the parameter in Verilog
	Value int
	Probe bool // the text is derived from this value, among others
}

// Plain makes each value of a Verilog parameter a module of its own. A pass that changes modules
// must call it, because the changed text may no longer depend on the parameter in a derivable way.
func (d *Design) Plain() {
	d.Probes = nil
	for _, m := range d.Modules {
		m.Generic = nil
		for i := range m.Parameters {
			m.Parameters[i].Generic = false
		}
	}
}

// Walk calls f for s and all scopes inside it, outermost first.
func (s *Scope) Walk(f func(*Scope)) {
	f(s)
	for _, l := range s.Fors {
		l.Body.Walk(f)
	}
}

// Copies returns how many times s exists in its module.
func (s *Scope) Copies() int {
	n := 1
	for ; s.Loop != nil; s = s.Parent {
		n *= s.Loop.N
	}
	return n
}

// Inside reports whether s is outer or nested in it.
func (s *Scope) Inside(outer *Scope) bool {
	for ; s != nil; s = s.Parent {
		if s == outer {
			return true
		}
	}
	return false
}

// Clocking reports whether m needs its own clock and reset. Module.Clock and Module.Reset must
// equal the results.
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

// RAMStyle reports whether style is a valid Mem.Style.
func RAMStyle(style string) bool {
	switch style {
	case "", "block", "ultra", "distributed", "registers":
		return true
	}
	return false
}

// Port returns the port with the given name, or nil.
func (m *Module) Port(name string) *Signal {
	for _, p := range m.Ports {
		if p.Name == name {
			return p
		}
	}
	return nil
}
