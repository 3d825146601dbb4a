// Package asm reads and writes programs of the accelerator as text, and runs
// them on a machine, command by command.
//
//	p, err := asm.Parse("sum.s", text)
//	stream := p.Encode()
//
// docs/how-to/programs.md has the language: commands with the names and operands of the
// paper's Table I and of the extensions, constants, data in host and GPU memory, and
// what to show at the end.
//
// It promises
//   - that what [Disassemble] writes, [Parse] reads as the same commands, bit by bit;
//   - that all mistakes of a text are told at once, each with file and line, what was
//     found and what was expected;
//   - that every command of a run has an outcome, also one that the accelerator
//     refuses.
package asm
