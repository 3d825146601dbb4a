// Code generated from hw/hotline/arch by go generate; DO NOT EDIT.

package driver

// Opcode of a command. The first six are Table I of the paper.
type Opcode uint8

const (
	OpDMARead  Opcode = 0x01
	OpDMAWrite Opcode = 0x02
	OpVAdd     Opcode = 0x03
	OpVMul     Opcode = 0x04
	OpSWrite   Opcode = 0x05
	OpGPURead  Opcode = 0x06
	OpLearn    Opcode = 0x10
	OpClassify Opcode = 0x11
	OpGather   Opcode = 0x12
	OpUpdate   Opcode = 0x13
	OpHotSet   Opcode = 0x14
	OpFence    Opcode = 0x15
)

// Status of a completion besides the DMA error codes 1 to 15.
const (
	StatusOK        = 0
	StatusOpcode    = 32 // unknown opcode
	StatusCRC       = 33 // bad command CRC
	StatusRange     = 34 // operand or register out of range
	StatusFetch     = 35 // the command could not be read
	StatusRowsFull  = 36 // as many rows are ahead as can be
	StatusNoRow     = 37 // no row is ahead
	StatusRowsAhead = 38 // a row is ahead
	StatusNoVector  = 39 // the vector buffer is empty
	StatusNoInputs  = 40 // the half does not hold these inputs
)

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

// Fields of a slot register.
const (
	SlotTableLo  = 32 // table number, 8 bits
	SlotFirstBit = 40
	SlotLastBit  = 41
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

// Sizes of ring entries in bytes.
const (
	CommandBytes    = 64
	CompletionBytes = 32
)

// opcodeNames are the mnemonics.
var opcodeNames = map[Opcode]string{
	OpDMARead:  "dma_rd",
	OpDMAWrite: "dma_wr",
	OpVAdd:     "v_add",
	OpVMul:     "v_mul",
	OpSWrite:   "s_wr",
	OpGPURead:  "gpu_rd",
	OpLearn:    "learn",
	OpClassify: "classify",
	OpGather:   "gather",
	OpUpdate:   "update",
	OpHotSet:   "hotset",
	OpFence:    "fence",
}

// statusNames say what a completion reports.
var statusNames = map[uint8]string{
	StatusOK:        "ok",
	1:               "completion timeout",
	2:               "parity error",
	8:               "function-level reset",
	9:               "poisoned data",
	10:              "unsupported request",
	11:              "completer abort",
	12:              "data missing",
	StatusOpcode:    "unknown opcode",
	StatusCRC:       "bad command CRC",
	StatusRange:     "operand out of range",
	StatusFetch:     "the command could not be read",
	StatusRowsFull:  "too many rows are ahead",
	StatusNoRow:     "no row is ahead",
	StatusRowsAhead: "a row is ahead",
	StatusNoVector:  "the vector buffer is empty",
	StatusNoInputs:  "the half does not hold these inputs",
}
