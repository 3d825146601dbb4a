package ir

import "math/bits"

// Op is an operator. The comments give operand and result types: Bits[w] is a w-bit scalar,
// Vec[n,w] a vector. A width of clog2 is at least 1 (IndexWidth).
type Op uint8

const (
	Const     Op = iota // Val : Bits[w]
	Ref                 // Sig : its type
	LoopConst           // Index, a function of loop variables : Bits[w]

	Not    // Bits[w] : Bits[w]
	RedAnd // Bits[w] : Bits[1]
	RedXor // Bits[w] : Bits[1]

	Add // Bits[w], Bits[w] : Bits[w], modulo 2^w
	Sub
	Mul  // Bits[w], Bits[w] : Bits[w], modulo 2^w
	DivU // Bits[w], Bits[w] : Bits[w], rounded down; all ones for a divisor of 0
	ModU // Bits[w], Bits[w] : Bits[w], the remainder of DivU; the dividend for a divisor of 0
	And  // also Vec, Vec : Vec, lane by lane, like Or and Xor
	Or
	Xor
	Eq // Bits[w], Bits[w] : Bits[1]
	Ne
	LtU
	LeU
	LtS
	Shl  // Bits[w], Bits[a] : Bits[w]; 0 if the amount is w or more
	ShrU // as Shl
	ShrS // as Shl, filled with copies of the sign bit

	Mux    // Bits[1], T, T : T; first value if the condition is 1
	Slice  // Bits[w] : Bits[Type.Width], from bit Lo
	Concat // Bits... : Bits[sum], first operand most significant
	ZExt   // Bits[v] : Bits[w], w >= v
	SExt   // Bits[v] : Bits[w], w >= v

	MemRead // Bits[clog2 depth] of Mem : Bits[w]; 0 beyond the depth

	VecOf  // Bits[w]... : Vec[n,w], element 0 first
	Pack   // Vec[n,w] : Bits[n*w], element 0 least significant
	Unpack // Bits[n*w] : Vec[n,w]
	ElemAt // Vec[n,w] : Bits[w], element Index
	Elem   // Vec[n,w], Bits[clog2 n] : Bits[w]; 0 beyond the length
	Update // Vec[n,w], Bits[clog2 n], Bits[w] : Vec[n,w]; unchanged beyond the length

	EqLanes  // Vec[n,w], Bits[w] : Bits[n], bit i is set if element i equals
	Select   // Bits[n], Vec[n,w] : Bits[w], OR of the elements whose bit is set
	Lowest   // Bits[w] : Bits[w], only the lowest set bit kept
	Encode   // Bits[n] one-hot : Bits[clog2 n], OR of the indices of the set bits
	PopCount // Bits[n] : Bits[clog2 (n+1)]
	Route    // Bits[n], Vec[n,a] : Vec[m,n], bit i of element j is set if bit i is set and element i is j
	numOps
)

var opNames = [numOps]string{
	"const", "ref", "loop", "not", "redand", "redxor",
	"add", "sub", "mul", "divu", "modu", "and", "or", "xor", "eq", "ne", "ltu", "leu", "lts", "shl", "shru", "shrs",
	"mux", "slice", "concat", "zext", "sext", "memread",
	"vec", "pack", "unpack", "at", "elem", "update",
	"eqlanes", "select", "lowest", "encode", "popcount", "route",
}

func (o Op) String() string { return opNames[o] }

// Expr is a node of an expression graph. Nodes are shared and immutable after construction.
type Expr struct {
	Op    Op
	Type  Type
	Args  []*Expr
	Sig   *Signal  // Ref
	Mem   *Mem     // MemRead
	Val   []uint64 // Const: little-endian words, unused high bits zero
	Label string   // Const: its name in the module, such as WINDOW or OPCODE_GATHER, or ""
	Hex   bool     // Const: printed in hexadecimal
	Lo    int      // Slice
	Index Affine   // ElemAt, LoopConst
	Pos   Pos
}

// Words returns the number of 64-bit words for w bits.
func Words(w int) int { return (w + 63) / 64 }

// Clog2 returns the number of bits that distinguish n values; Clog2(1) is 0.
func Clog2(n int) int { return bits.Len(uint(max(n, 1) - 1)) }

// IndexWidth returns the width of an index into n elements, at least 1.
func IndexWidth(n int) int { return max(1, Clog2(n)) }

// CountWidth returns the width of a count from 0 to n.
func CountWidth(n int) int { return max(1, bits.Len(uint(n))) }

// Uint returns the value of a constant of at most 64 bits.
func (e *Expr) Uint() uint64 { return e.Val[0] }
