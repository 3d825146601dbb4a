// Package regmap describes the registers of a device as software sees them: where they
// are, which fields they have and what reading and writing does. A map is a struct with
// tags, of which each field is a register:
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
// The words of a tag are the byte offset of a register, in hexadecimal; an Access; the
// bits, 31:0 if they are not said; reset=, what a reset sets the bits to, which else is
// 0; and len= of a slice, which is that many registers one after the other. A register
// is a word of 32 bits; one with bits above 31 is two, the low one first. The two words
// of what hardware changes are of one moment if the low one is read first. Bits that no
// field has read 0 and are ignored when written. Fields may overlap if one can only be
// read and the other only be written.
//
// It knows no hardware, so that drivers and documents use the map that hardware is made
// of (package hw/lib/regbank). From a Map come constants for Go, a header for C,
// SystemRDL 2.0, a table in Markdown, and a File, which does in plain Go what the
// hardware does. Equal maps give equal bytes.
//
// New panics on maps that cannot be, because they are made when a program starts.
package regmap
