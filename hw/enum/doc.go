// Package enum gives names to the values of Go types: opcodes, statuses, states.
//
// It knows no hardware, so that drivers, decoders and documents use the same types as
// a description in package hw, where a port or register of type hw.Enum[Opcode] takes
// only values of Opcode and the Verilog has a constant for each that it uses.
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
// Names are mnemonics in lower case, as in an assembler or a paper. New panics on sets
// that cannot be, because they are made when a program starts.
package enum
