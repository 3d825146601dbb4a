package driver

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Command is an entry of the command ring.
type Command struct {
	Opcode                       arch.Opcode
	Flags                        uint8
	Operand1, Operand2, Operand3 uint64
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Encode is the entry of the command ring, of 64 bytes, with a command id.
func (c Command) Encode(id uint32) []byte {
	le := binary.LittleEndian
	b := make([]byte, 0, arch.CommandBytes)
	b = le.AppendUint32(b, uint32(c.Opcode)|uint32(c.Flags)<<8)
	b = le.AppendUint32(b, id)
	b = le.AppendUint64(b, c.Operand1)
	b = le.AppendUint64(b, c.Operand2)
	b = le.AppendUint64(b, c.Operand3)
	b = b[:arch.CommandBytes-4]
	return le.AppendUint32(b, crc32.Checksum(b, castagnoli))
}

func (c Command) String() string {
	return fmt.Sprintf("%s(%#x, %#x, %#x)", c.Opcode, c.Operand1, c.Operand2, c.Operand3)
}

// The commands of Table I of the paper.

// DMARead reads a row from a host address for the next v_add or v_mul.
func DMARead(addr, bytes uint64) Command {
	return Command{Opcode: arch.DMARead, Operand1: addr, Operand2: bytes}
}

// DMAWrite writes the vector buffer to an address.
func DMAWrite(addr, bytes uint64) Command {
	return Command{Opcode: arch.DMAWrite, Operand1: addr, Operand2: bytes}
}

// VAdd adds the next row to the vector buffer, or loads it.
func VAdd(load bool) Command {
	c := Command{Opcode: arch.VAdd}
	if load {
		c.Flags = 1
	}
	return c
}

// VMul sets the vector buffer to the next row times a scalar.
func VMul(scalar float32) Command {
	return Command{Opcode: arch.VMul, Operand1: uint64(math.Float32bits(scalar))}
}

// SWrite sets an address register.
func SWrite(register int, value uint64) Command {
	return Command{Opcode: arch.SWrite, Operand1: uint64(register), Operand2: value}
}

// GPURead reads the hot row at a block number from a GPU.
func GPURead(gpu int, block uint64) Command {
	return Command{Opcode: arch.GPURead, Operand1: uint64(gpu), Operand2: block}
}

// The extensions.

// Learn lets the tracker see the lookups of n inputs at addr.
func Learn(half int, addr uint64, n int) Command {
	return Command{Opcode: arch.Learn, Flags: uint8(half), Operand1: addr, Operand2: uint64(n)}
}

// Classify sorts n inputs at addr into popular and non-popular ones; the bitmap
// goes to bitmap and to the GPUs' mailboxes.
func Classify(half int, addr uint64, n int, bitmap uint64) Command {
	return Command{Opcode: arch.Classify, Flags: uint8(half), Operand1: addr, Operand2: uint64(n), Operand3: bitmap}
}

// Gather pools the rows of the non-popular among the n inputs of a half.
func Gather(half, n int) Command {
	return Command{Opcode: arch.Gather, Flags: uint8(half), Operand2: uint64(n)}
}

// Update applies the gradients of the n rows listed at addr.
func Update(half int, addr uint64, n int) Command {
	return Command{Opcode: arch.Update, Flags: uint8(half), Operand1: addr, Operand2: uint64(n)}
}

// HotSet writes the list of the rows that the tracker holds to addr.
func HotSet(addr uint64) Command { return Command{Opcode: arch.HotSet, Operand1: addr} }

// Fence completes when everything before it has.
func Fence() Command { return Command{Opcode: arch.Fence} }

// Completion is the outcome of a command.
type Completion struct {
	Command        Command
	Status         arch.Status
	Value0, Value1 uint32
	Sum            uint32 // of what the command has written, see Driver.Verify
}

// StatusError says that the device reports a failure of a command.
type StatusError struct {
	Command Command
	Status  arch.Status
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("driver: %v failed: %s (status %d)", e.Command, e.Status, uint8(e.Status))
}
