// Package netlist flattens a lowered design into nets and operations in topological order.
//
// Flattening unrolls loops, dissolves the hierarchy, and creates one net per scalar value. It also
// simplifies the design:
//
//   - Equal operations are shared.
//   - Operations without an observable effect, and branches that a constant condition excludes,
//     are removed.
//   - A value that is split and reassembled is used directly.
//   - Shifts by constants become slices.
//
// Flattening also finds combinational loops and reports the complete path of each. It
// distinguishes the elements of vectors.
//
// The interpreter executes the result, and elaboration uses it to find loops. The Go generator
// applies Simplify, which turns operations on bits into fewer operations on words, and vectorizes
// the result.
package netlist

import "github.com/hotline-rtl/hotline/hw/ir"

// Net is the number of a scalar value; its width is Design.Width[net].
type Net int32

// None means that there is no net.
const None Net = -1

// Op computes the NOut nets Out, Out+1 ... from Args. Code is an ir.Op applied to scalars:
//
//   - Elem: Args = index, elements...; Update: Args = index, value, elements..., one Out per
//     element; EqLanes: Args = value, elements...; Select: Args = mask, elements...; Route: Args =
//     valid, dest... with one Out per destination; Or may have any number of Args (a Select with a
//     mask of ones).
//   - Slice starts at bit Lo. MemRead reads Mems[Lo]. Pack becomes Concat with the most
//     significant operand first.
//
// Const, Ref, LoopConst, VecOf, ElemAt, Unpack and Pack do not occur.
type Op struct {
	Code ir.Op
	Out  Net
	NOut int32
	Lo   int32
	Args []Net
	From *ir.Expr // its origin; a part of a Concat or Pack may have several operations
	Copy *Copy    // copy of the scope of the origin
	Elem int32    // element of the origin, if each element has its own operation
}

// Reg is a register element. In a time step Q takes D, or Init if the register has a reset and rst
// or Clear is 1. If the clocks are ports of the top module, a step may lack an edge of some clock.
// In that case D includes the logic that holds Q and applies the clock's reset.
type Reg struct {
	Q, D  Net
	Clear Net // from the surrounding instances with a Reset, or None
	Reset bool
	Init  []uint64
	Path  string
	Sig   *ir.Signal
	Copy  *Copy
	Elem  int32 // of Sig
}

// Mem is a memory that is written or has contents. Other memories read as zero and have no Mem.
type Mem struct {
	IR   *ir.Mem
	Path string
	Copy *Copy
}

// Write is a write port of Mems[Mem]. The ports of a memory take effect in order.
type Write struct {
	Mem                int
	Enable, Addr, Data Net
	Copy               *Copy
}

// Check is an assertion: Cond is 1 while Enable is 1 and rst is 0. Enable is 0 while a Reset of a
// surrounding instance is 1.
type Check struct {
	Enable, Cond Net
	Text, Path   string
	Pos          ir.Pos
	Copy         *Copy
}

// Const is a net with a constant value.
type Const struct {
	Net Net
	Val []uint64
}

// Var is a named signal: the nets of its elements.
type Var struct {
	Path []string // hierarchy below the top, ending with the signal's own name; iterations as name[i]
	Sig  *ir.Signal
	Nets []Net
}

// Extern is an instance of an external Verilog module. Its outputs are inputs of the Design, and
// its inputs are outputs of the Design.
type Extern struct {
	Path   string
	Module *ir.Module
	// Ports are the indices in Design.Ports of the ports of the module, in order.
	Ports []int
	// Tick and Reset are indices of ports. Tick is 1 in a time step with an edge of the module's
	// own clock, or -1 if every step has an edge. Reset is 1 while the module's own reset is
	// active, or -1 if there is no such reset. If Tick is -1, the reset of the engine applies as
	// well.
	Tick, Reset int
}

// Design is a flattened design.
type Design struct {
	Top    *ir.Module
	Width  []int32 // by Net
	Consts []Const
	Ops    []Op // every operand is computed before its use
	Regs   []Reg
	Mems   []Mem
	Writes []Write
	Checks []Check
	// Ports are the ports of the top module in order, followed by the ports of the models of
	// Externs. The top module does not have the latter.
	Ports   []Var
	Externs []Extern
	Vars    []Var // all signals, if requested from Flatten
}
