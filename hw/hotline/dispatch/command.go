package dispatch

import "github.com/hotline-rtl/hotline/hw"

// Command is a command as hardware.
type Command struct{ Flags, Opcode, Operand3, Operand2, Operand1 hw.Bits }

// CommandBits is the width of a packed Command.
const CommandBits = 8 + 8 + 3*64

// Pack is {flags 8, opcode 8, operand 3, operand 2, operand 1}, most
// significant first.
func (c Command) Pack() hw.Bits {
	return hw.Cat(c.Flags, c.Opcode, c.Operand3, c.Operand2, c.Operand1)
}

// UnpackCommand takes apart what Command.Pack made.
func UnpackCommand(x hw.Bits) Command {
	return Command{Flags: x.Slice(207, 200), Opcode: x.Slice(199, 192), Operand3: x.Slice(191, 128), Operand2: x.Slice(127, 64), Operand1: x.Trunc(64)}
}
