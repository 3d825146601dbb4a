package arch

import (
	"encoding/binary"
	"fmt"
)

// Command is what an entry of the command ring asks for. docs/reference/accelerator.md gives the
// operands of each opcode.
type Command struct {
	Opcode                       Opcode
	Flags                        uint8
	Operand1, Operand2, Operand3 uint64
}

// Where the parts of a command are, in bytes from its start. Encode
// leaves what is between them 0; nobody looks at it.
const (
	CommandOpcode   = 0  // 1 byte
	CommandFlags    = 1  // 1 byte
	CommandID       = 4  // 4 bytes
	CommandOperands = 8  // three, of 8 bytes each
	CommandCRC      = 60 // 4 bytes: Checksum of those before

	CommandBytes = 64
)

// Encode is the entry of the command ring, with a command id and its CRC.
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

// DecodeCommand takes an entry of CommandBytes apart. It tells whether the CRC is
// right; the rest is what the entry says in any case.
func DecodeCommand(entry []byte) (c Command, id uint32, intact bool) {
	le := binary.LittleEndian
	operand := func(i int) uint64 { return le.Uint64(entry[CommandOperands+8*i:]) }
	c = Command{Opcode(entry[CommandOpcode]), entry[CommandFlags], operand(0), operand(1), operand(2)}
	return c, le.Uint32(entry[CommandID:]), le.Uint32(entry[CommandCRC:]) == Checksum(entry[:CommandCRC])
}

func (c Command) String() string {
	return fmt.Sprintf("%v(%#x, %#x, %#x)", c.Opcode, c.Operand1, c.Operand2, c.Operand3)
}
