// Package regbank implements the registers of a package regmap map behind an AXI4-Lite slave
// (package axil) and provides their fields to the hardware:
//
//	type registers struct {
//		Limit  hw.Bits `reg:"0x00,rw,15:0,reset=100"`
//		Events hw.Bits `reg:"0x04,count"`
//		Busy   hw.Bits `reg:"0x08,ro,0"`
//	}
//
//	var Map = regmap.New[registers]("meter", "Registers of the meter.")
//
//	bank := regbank.New[registers](m, "meter", Map, slave.Access)
//	r := bank.Fields
//	r.Busy.Set(busy)
//	m.When(event, func() { r.Events.Set(r.Events.Inc()) })
//	m.When(bank.Written(r.Limit), func() { ... })
//
// A stored field is a register. Writes and reads by software change it as specified by its
// regmap.Access; an assignment by the design in the same cycle takes precedence. A field with
// access ro is a wire that the design must drive. A pulse is a wire with the value that software
// writes in the same cycle.
//
// An access is rejected and has no effect in these cases:
//
//   - The address is not a multiple of 4, or no register has this address.
//   - A write selects a word that is not writable, or a read selects a word that is not readable.
//   - The map is WholeWords and the write does not have all four strobes.
//
// The slave answers a rejected access with SLVERR. Otherwise only bytes with a strobe are written.
package regbank
