// Package regbank makes the registers of a package regmap map behind an AXI4-Lite slave
// (package axil), and gives the hardware their fields.
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
// A field that is stored is a register, which software's write or read changes as its
// regmap.Access says; what the design sets in the same cycle wins. A field that is ro is
// a wire, which the design has to set. A pulse is a wire that is what software writes, in
// that cycle.
//
// An access is refused, and changes nothing, if its address is no multiple of 4 or that
// of no register, if a write goes to a word that cannot be written or a read to one that
// cannot be read, or, in a map of WholeWords, if a write has not all four strobes. The
// slave answers SLVERR. Otherwise only bytes with a strobe are written.
package regbank
