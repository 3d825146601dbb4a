// Package netlist unrolls a lowered design into nets and operations in
// topological order: one net per scalar value, loops and hierarchy dissolved,
// equal operations shared, what nothing observable depends on dropped, what a
// constant condition does not choose too, and what is taken apart to be put together
// again; shifts by constants are parts at other places. Flattening finds combinational loops
// and reports the whole path; elements of vectors are told apart.
//
// The interpreter runs it, the Go generator rolls it up again, and the loop check
// of elaboration uses it.
package netlist

import "github.com/hotline-rtl/hotline/hw/ir"

// Net numbers a scalar value; its width is Design.Width[net].
type Net int32

// None is no net.
const None Net = -1

// Op computes the nets Out, Out+1 ... (NOut of them) from Args. Code is an
// ir.Op with scalar meaning:
//
//   - Elem: Args = index, elements...; Update: Args = index, value,
//     elements..., one Out per element; EqLanes: Args = value, elements...;
//     Select: Args = mask, elements...; Route: Args = valid, dest...
//     with one Out per destination; Or may have any number of Args (a Select of all).
//   - Slice starts at bit Lo. MemRead reads Mems[Lo]. Pack becomes Concat with
//     the most significant operand first.
//
// Const, Ref, LoopConst, VecOf, ElemAt, Unpack and Pack do not occur.
type Op struct {
	Code ir.Op
	Out  Net
	NOut int32
	Lo   int32
	Args []Net
	From *ir.Expr // what it is an operation of (a part of a Concat or Pack can take several),
	Copy *Copy    // in which copy of its scope,
	Elem int32    // and for which element, if each has an operation of its own
}

// Reg is a register element: in a step of time Q takes D, or Init, if it has a
// reset, while rst or Clear is 1. Where clocks are ports of the top, a step need not
// have an edge of each: D holds Q then, and does what the reset of the clock asks.
type Reg struct {
	Q, D  Net
	Clear Net // of the instances around it that have a Reset; or None
	Reset bool
	Init  []uint64
	Path  string
	Sig   *ir.Signal
	Copy  *Copy
	Elem  int32 // of Sig
}

// Mem is a memory that is written or has contents; others read as zero.
type Mem struct {
	IR   *ir.Mem
	Path string
	Copy *Copy
}

// Write is a write port of Mems[Mem]; the ports of a memory act in order.
type Write struct {
	Mem                int
	Enable, Addr, Data Net
	Copy               *Copy
}

// Check is an assertion: Cond is 1 while Enable is, which it is not while a Reset
// of an instance around it is 1, and rst is not.
type Check struct {
	Enable, Cond Net
	Text, Path   string
	Pos          ir.Pos
	Copy         *Copy
}

// Const is a net with a fixed value.
type Const struct {
	Net Net
	Val []uint64
}

// Var is a named signal: the nets of its elements.
type Var struct {
	Path []string // hierarchy below the top, the signal's own name last; iterations as name[i]
	Sig  *ir.Signal
	Nets []Net
}

// Extern is an instance of foreign Verilog. What it drives are inputs of the Design, and
// what it takes are outputs.
type Extern struct {
	Path   string
	Module *ir.Module
	// Ports are the numbers in Design.Ports of the ports of the module, in its order.
	Ports []int
	// Tick is 1 in a step of time with an edge of the module's own clock, Reset while
	// its own reset is on, besides the engine's if Tick is none: numbers of ports, or -1
	// for every step and for no such reset.
	Tick, Reset int
}

// Design is a flattened design.
type Design struct {
	Top    *ir.Module
	Width  []int32 // by Net
	Consts []Const
	Ops    []Op // every operand is computed before it is used
	Regs   []Reg
	Mems   []Mem
	Writes []Write
	Checks []Check
	// Ports are those of the top module, in its order, and then those of the models of
	// Externs, which are not in it.
	Ports   []Var
	Externs []Extern
	Vars    []Var // all signals, if Flatten was asked to keep them
}
