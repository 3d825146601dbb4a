package oracle

import (
	"encoding/binary"
	"hash/crc32"
	"slices"
)

// Opcodes.
const (
	DMARead  = 0x01
	DMAWrite = 0x02
	VAdd     = 0x03
	VMul     = 0x04
	SWrite   = 0x05
	GPURead  = 0x06
	Learn    = 0x10
	Classify = 0x11
	Gather   = 0x12
	Update   = 0x13
	HotSet   = 0x14
	Fence    = 0x15
)

// Names maps opcodes to their names.
var Names = map[uint8]string{DMARead: "dma_rd", DMAWrite: "dma_wr", VAdd: "v_add", VMul: "v_mul", SWrite: "s_wr", GPURead: "gpu_rd",
	Learn: "learn", Classify: "classify", Gather: "gather", Update: "update", HotSet: "hotset", Fence: "fence"}

// Statuses other than DMA errors.
const (
	OK         = 0
	BadOpcode  = 32
	BadCRC     = 33
	OutOfRange = 34
	Unreadable = 35
	TooMany    = 36
	NoRow      = 37
	RowAhead   = 38
	Empty      = 39
	NotHeld    = 40
	NoAddress  = 41
	NoTable    = 42
)

// Registers that s_wr writes.
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
)

// Sizes of ring entries, in bytes.
const (
	CommandBytes    = 64
	CompletionBytes = 32
)

// beatSum returns the sum of the checksums of the beats in b.
func beatSum(b []byte, beat int) (sum uint32) {
	for x := range slices.Chunk(b, beat) {
		sum += checksum(x)
	}
	return sum
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// Command is a command as 32-bit words.
type Command [16]uint32

// Seal computes the CRC of the command.
func (c *Command) Seal() { c[15] = checksum(c.Bytes()[:60]) }

// Bytes returns the command as it is stored in memory.
func (c *Command) Bytes() []byte {
	b := make([]byte, 0, CommandBytes)
	for _, w := range c {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	return b
}

func commandOf(b []byte) (c Command) {
	for i := range c {
		c[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return c
}

func (c *Command) opcode() uint8 { return uint8(c[0]) }
func (c *Command) flag() int     { return int(c[0] >> 8 & 1) }

// operand returns operand 1, 2 or 3.
func (c *Command) operand(i int) uint64 { return uint64(c[2*i+1])<<32 | uint64(c[2*i]) }

// Completion is a decoded completion.
type Completion struct {
	ID     uint32
	Status int
	Phase  int
	Values [2]uint32
	Head   uint16
	Sum    uint32 // sum over the beats written
	Issued uint64 // the cycle of its descriptor
}

// ParseCompletion decodes 32 bytes. wrong describes an error in their format.
func ParseCompletion(b []byte) (c Completion, wrong string) {
	var w [8]uint32
	for i := range w {
		w[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	switch {
	case w[7] != checksum(b[:28]):
		wrong = "its CRC is wrong"
	case w[1]&^0x100FF != 0 || w[4]>>16 != 0 || w[6] != 0:
		wrong = "bits that mean nothing are not 0"
	}
	return Completion{ID: w[0], Status: int(w[1] & 0xFF), Phase: int(w[1] >> 16 & 1), Values: [2]uint32{w[2], w[3]}, Head: uint16(w[4]), Sum: w[5]}, wrong
}
