// Package asm parses, prints and runs accelerator programs in text form. A run executes the
// commands sequentially on a machine.
//
//	p, err := asm.Parse("sum.s", text)
//	stream := p.Encode()
//
// docs/how-to/programs.md specifies the language. It has commands with the names and operands of the
// paper's Table I and of the extensions, constants, and data in host and GPU memory. Directives
// select words to show at the end.
//
// Guarantees:
//   - [Parse] reads the output of [Disassemble] as the same commands, bit by bit.
//   - An error lists all mistakes of a text, each with file, line, found and expected text.
//   - Every command of a run has an outcome, including commands that the accelerator rejects.
package asm
