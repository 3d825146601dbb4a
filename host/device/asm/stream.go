package asm

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hotline-rtl/hotline/hw/hotline/arch"
)

// Encode returns the commands as in a command ring, 64 bytes each, with ids starting at 1. The
// result does not contain the data.
func (p *Program) Encode() []byte {
	var b []byte
	for i, c := range p.Commands {
		b = append(b, c.Encode(uint32(i+1))...)
	}
	return b
}

// Disassemble formats the commands of a stream as a program. Ids that do not count from 1 appear in
// comments. It returns an error if the stream contains a partial or damaged command.
func Disassemble(stream []byte) (string, error) {
	if n := len(stream); n%arch.CommandBytes != 0 {
		return "", fmt.Errorf("%d bytes, expected a multiple of %d, the size of a command", n, arch.CommandBytes)
	}
	var b strings.Builder
	for i := range len(stream) / arch.CommandBytes {
		entry := stream[i*arch.CommandBytes:][:arch.CommandBytes]
		c, id, _ := arch.DecodeCommand(entry)
		if want := c.Encode(id); !bytes.Equal(entry, want) {
			return "", fmt.Errorf("command %d is damaged: % x, expected % x", i+1, entry, want)
		}
		b.WriteString(text(c))
		if id != uint32(i+1) {
			fmt.Fprintf(&b, " ; id %d", id)
		}
		b.WriteByte('\n')
	}
	return b.String(), nil
}

// text formats a command as a line of a program. It uses the raw fields if the mnemonic cannot
// express all of them.
func text(c arch.Command) string {
	op := arch.Opcode(c.Opcode)
	if list, known := syntax[op]; known && c.Flags <= 1 {
		var args []string
		for _, o := range list {
			if s := o.print(&c); s != "" {
				args = append(args, s)
			}
		}
		line := strings.TrimSpace(op.String() + " " + strings.Join(args, ", "))
		if p, err := Parse("", line); err == nil && p.Commands[0].Command == c {
			return line
		}
	}
	return fmt.Sprintf(".command %#x, %#x, %#x, %#x, %#x", uint8(c.Opcode), c.Flags, c.Operand1, c.Operand2, c.Operand3)
}
