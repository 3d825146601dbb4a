// Package enum assigns names to the values of Go types, such as opcodes, statuses and states.
//
// The package is independent of hardware, so that drivers, decoders and documents can share types
// with a description in package hw. There, a port or register of type hw.Enum[Opcode] accepts only
// values of Opcode, and the Verilog declares a constant for each value that it uses.
//
//	type Opcode uint8
//
//	const (
//		Read  Opcode = 1
//		Write Opcode = 2
//	)
//
//	var opcodes = enum.New("opcode", map[Opcode]string{Read: "read", Write: "write"}, enum.Width(8))
//
//	func (Opcode) Enum() enum.Set   { return opcodes }
//	func (o Opcode) String() string { return opcodes.Text(uint64(o)) }
//
// Names are lower-case mnemonics, as in an assembler or a paper. New panics on invalid sets,
// because sets are created when a program starts.
package enum
