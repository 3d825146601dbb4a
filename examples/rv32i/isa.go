package rv32i

import "github.com/hotline-rtl/hotline/hw/enum"

// Opcode is the low seven bits of an instruction.
type Opcode uint8

// The opcodes.
const (
	Load   Opcode = 0x03
	Fence  Opcode = 0x0f
	OpImm  Opcode = 0x13
	AUIPC  Opcode = 0x17
	Store  Opcode = 0x23
	Op     Opcode = 0x33
	LUI    Opcode = 0x37
	Branch Opcode = 0x63
	JALR   Opcode = 0x67
	JAL    Opcode = 0x6f
	System Opcode = 0x73
)

var opcodes = enum.New("opcode", map[Opcode]string{Load: "load", Fence: "fence", OpImm: "op_imm", AUIPC: "auipc", Store: "store", Op: "op",
	LUI: "lui", Branch: "branch", JALR: "jalr", JAL: "jal", System: "system"}, enum.Width(7), enum.Hex)

// Enum implements enum.Value.
func (Opcode) Enum() enum.Set { return opcodes }

// Function is the function that Op and OpImm compute.
type Function uint8

// The functions.
const (
	Add Function = iota
	ShiftLeft
	Less
	LessUnsigned
	Xor
	ShiftRight
	Or
	And
)

var functions = enum.Sequence[Function]("function", "add", "shift_left", "less", "less_unsigned", "xor", "shift_right", "or", "and")

// Enum implements enum.Value.
func (Function) Enum() enum.Set { return functions }
