package arch

import "github.com/hotline-rtl/hotline/hw/enum"

// Opcode of a command. The first six are Table I of the paper.
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

// Enum implements enum.Value: the values are listed in the order of their numbers, those
// of Table I first.
func (Opcode) Enum() enum.Set { return opcodes }

// String is the mnemonic.
func (o Opcode) String() string { return opcodes.Text(uint64(o)) }

// s_wr register numbers; the first five are bases of arrays.
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

// CSR byte offsets.
const (
	CSRID           = 0x00
	CSRVersion      = 0x04
	CSRCaps0        = 0x08
	CSRCaps1        = 0x0C
	CSRCaps2        = 0x10
	CSRCaps3        = 0x14
	CSRCaps4        = 0x18
	CSRControl      = 0x20
	CSRStatus       = 0x24
	CSRSQBaseLo     = 0x30
	CSRSQBaseHi     = 0x34
	CSRSQLog2       = 0x38
	CSRSQTail       = 0x3C
	CSRSQHead       = 0x40
	CSRCQBaseLo     = 0x44
	CSRCQBaseHi     = 0x48
	CSRCQLog2       = 0x4C
	CSRCQHead       = 0x50
	CSRCQTail       = 0x54
	CSRError        = 0x58
	CSRRowsAhead    = 0x5C
	CSRLookups      = 0x60
	CSRCacheHits    = 0x64
	CSRLookupCycles = 0x68
	CSRRowsRead     = 0x6C
	CSRRowsWritten  = 0x70
	CSRDropped      = 0x74

	ID      = 0x484F544C
	Version = 0x00020001
)

// Bits of CSRControl and CSRStatus.
const (
	ControlEnableBit = 0
	ControlResetBit  = 1

	StatusBusyBit    = 0
	StatusReadyBit   = 1
	StatusHaltedBit  = 2
	StatusOverrunBit = 3
)
