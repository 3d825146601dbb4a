package arch

import "github.com/hotline-rtl/hotline/hw/enum"

// Opcode identifies a command. The first six are the instructions of Table I of the paper.
type Opcode uint8

const (
	DMARead  Opcode = 0x01
	DMAWrite Opcode = 0x02
	VAdd     Opcode = 0x03
	VMul     Opcode = 0x04
	SWrite   Opcode = 0x05
	GPURead  Opcode = 0x06
	Learn    Opcode = 0x10
	Classify Opcode = 0x11
	Gather   Opcode = 0x12
	Update   Opcode = 0x13
	HotSet   Opcode = 0x14
	Fence    Opcode = 0x15
)

var opcodes = enum.New("opcode", map[Opcode]string{
	DMARead: "dma_rd", DMAWrite: "dma_wr", VAdd: "v_add", VMul: "v_mul", SWrite: "s_wr", GPURead: "gpu_rd",
	Learn: "learn", Classify: "classify", Gather: "gather", Update: "update", HotSet: "hotset", Fence: "fence",
}, enum.Width(8), enum.Hex)

// Enum implements enum.Value. The values are in numerical order, so the instructions of Table I
// come first.
func (Opcode) Enum() enum.Set { return opcodes }

// String returns the mnemonic.
func (o Opcode) String() string { return opcodes.Text(uint64(o)) }

// Register numbers of s_wr. The first six are the first registers of arrays.
const (
	RegTable   = 0x000
	RegSlot    = 0x100
	RegHot     = 0x200
	RegPooled  = 0x208
	RegGrad    = 0x210
	RegMailbox = 0x218
	RegSlots   = 0x220
	RegTables  = 0x221
	RegRowLog2 = 0x222
	RegGPUs    = 0x223
	RegScale   = 0x224
	RegCount   = 0x225
)
