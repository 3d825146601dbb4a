package driver

import (
	"fmt"
	"math"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// The commands of Table I of the paper.

// DMARead reads a row at a host address for the next v_add or v_mul.
func DMARead(addr, bytes uint64) arch.Command {
	return arch.Command{Opcode: arch.DMARead, Operand1: addr, Operand2: bytes}
}

// DMAWrite writes the vector buffer to an address.
func DMAWrite(addr, bytes uint64) arch.Command {
	return arch.Command{Opcode: arch.DMAWrite, Operand1: addr, Operand2: bytes}
}

// VAdd adds the next row to the vector buffer. With load it replaces the buffer by the row.
func VAdd(load bool) arch.Command {
	c := arch.Command{Opcode: arch.VAdd}
	if load {
		c.Flags = 1
	}
	return c
}

// VMul sets the vector buffer to the next row multiplied by a scalar.
func VMul(scalar float32) arch.Command {
	return arch.Command{Opcode: arch.VMul, Operand1: uint64(math.Float32bits(scalar))}
}

// SWrite sets an address register.
func SWrite(register int, value uint64) arch.Command {
	return arch.Command{Opcode: arch.SWrite, Operand1: uint64(register), Operand2: value}
}

// GPURead reads the hot row at a block number from a GPU.
func GPURead(gpu int, block uint64) arch.Command {
	return arch.Command{Opcode: arch.GPURead, Operand1: uint64(gpu), Operand2: block}
}

// The commands beyond Table I.

// Learn trains the tracker with the lookups of the n inputs at addr.
func Learn(half int, addr uint64, n int) arch.Command {
	return arch.Command{Opcode: arch.Learn, Flags: uint8(half), Operand1: addr, Operand2: uint64(n)}
}

// Classify classifies the n inputs at addr as popular or non-popular. It writes the bitmap to
// address bitmap and to the GPUs' mailboxes.
func Classify(half int, addr uint64, n int, bitmap uint64) arch.Command {
	return arch.Command{Opcode: arch.Classify, Flags: uint8(half), Operand1: addr, Operand2: uint64(n), Operand3: bitmap}
}

// Gather pools the rows of the non-popular inputs among the n inputs of a half.
func Gather(half, n int) arch.Command {
	return arch.Command{Opcode: arch.Gather, Flags: uint8(half), Operand2: uint64(n)}
}

// Update applies the gradients of the n rows listed at addr.
func Update(half int, addr uint64, n int) arch.Command {
	return arch.Command{Opcode: arch.Update, Flags: uint8(half), Operand1: addr, Operand2: uint64(n)}
}

// HotSet writes the rows of all changed sets of the tracker to addr. A set counts as changed if it
// changed in this learning epoch. An epoch begins with the reset, or with the first learn after a
// hot set.
func HotSet(addr uint64) arch.Command { return arch.Command{Opcode: arch.HotSet, Operand1: addr} }

// Fence completes after all earlier commands.
func Fence() arch.Command { return arch.Command{Opcode: arch.Fence} }

// Completion is the outcome of a command.
type Completion struct {
	Command        arch.Command
	Status         arch.Status
	Value0, Value1 uint32
	Sum            uint32 // over the data that the command wrote, see Driver.Verify
}

// StatusError reports that a command failed on the device.
type StatusError struct {
	Command arch.Command
	Status  arch.Status
}

func (e *StatusError) Error() string {
	return fmt.Sprintf("driver: %v failed: %s (status %d)", e.Command, e.Status, uint8(e.Status))
}
