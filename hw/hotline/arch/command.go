package arch

import (
	"encoding/binary"
	"fmt"
)

// Command is an entry of the command ring. docs/reference/accelerator.md lists the operands of each opcode.
type Command struct {
	Opcode                       Opcode
	Flags                        uint8
	Operand1, Operand2, Operand3 uint64
}

// Byte offsets of the fields of a command. Encode writes 0 to the bytes between them; the device
// ignores these bytes.
const (
	CommandOpcode   = 0  // 1 byte
	CommandFlags    = 1  // 1 byte
	CommandID       = 4  // 4 bytes
	CommandOperands = 8  // three operands of 8 bytes
	CommandCRC      = 60 // 4 bytes: Checksum of the bytes before it

	CommandBytes = 64
)

// Encode returns the entry of the command ring, with the command id and the CRC.
func (c Command) Encode(id uint32) []byte {
	le, b := binary.LittleEndian, make([]byte, CommandBytes)
	b[CommandOpcode], b[CommandFlags] = byte(c.Opcode), c.Flags
	le.PutUint32(b[CommandID:], id)
	for i, v := range [...]uint64{c.Operand1, c.Operand2, c.Operand3} {
		le.PutUint64(b[CommandOperands+8*i:], v)
	}
	le.PutUint32(b[CommandCRC:], Checksum(b[:CommandCRC]))
	return b
}

// DecodeCommand decodes an entry of CommandBytes bytes. It reports whether the CRC is correct, and
// returns the fields even if it is not.
func DecodeCommand(entry []byte) (c Command, id uint32, intact bool) {
	le := binary.LittleEndian
	operand := func(i int) uint64 { return le.Uint64(entry[CommandOperands+8*i:]) }
	c = Command{Opcode(entry[CommandOpcode]), entry[CommandFlags], operand(0), operand(1), operand(2)}
	return c, le.Uint32(entry[CommandID:]), le.Uint32(entry[CommandCRC:]) == Checksum(entry[:CommandCRC])
}

func (c Command) String() string {
	return fmt.Sprintf("%v(%#x, %#x, %#x)", c.Opcode, c.Operand1, c.Operand2, c.Operand3)
}
