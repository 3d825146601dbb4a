// Package regmap describes the registers of a device as software sees them: their addresses, their
// fields, and the effects of reads and writes. A map is a struct with tags. Each field of the
// struct is a register:
//
//	type Registers[V any] struct {
//		Limit  V `reg:"0x00,rw,15:0,reset=100" doc:"events in a period, at most"`
//		Status struct {
//			Busy  V `reg:"ro,0"`
//			Error V `reg:"w1c,4:1" doc:"what went wrong"`
//		} `reg:"0x04"`
//		Scale  []V `reg:"0x10,rw,len=4"`
//		Events V   `reg:"0x20,count,63:0"`
//	}
//
//	var Map = regmap.New[Registers[uint64]]("meter", "Registers of the meter.")
//
// The words of a tag are:
//
//   - the byte offset of a register, in hexadecimal;
//   - an Access;
//   - the bits, by default 31:0;
//   - reset=, the reset value of the bits, by default 0;
//   - len=, the length of a slice, which is an array of consecutive registers.
//
// A register is a word of 32 bits. A register with bits above 31 has two words, the low word
// first. If software reads the low word of a value that hardware changes first, both words belong
// to the same moment. Bits without a field read 0, and writes to them are ignored. Fields may
// overlap if one is read-only and the other write-only.
//
// The package is independent of hardware: drivers and documents use the same map from which
// package hw/lib/regbank builds the hardware. A Map generates constants for Go, a header for C,
// SystemRDL 2.0 and a table in Markdown. A File is a model of the hardware in plain Go. Equal maps
// generate equal bytes.
//
// New panics on invalid maps, because maps are created when a program starts.
package regmap
