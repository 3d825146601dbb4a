// Package config is the configuration space of a PCI Express endpoint: 4 KiB of
// registers with which a host finds out what a function is, gives it addresses,
// and allows it to do things.
//
//	s, _ := config.New(config.DefaultFunction())
//	s.Write(config.BAR0, []byte{0xff, 0xff, 0xff, 0xff})
//	size := ^s.DW(config.BAR0) + 1
//
// One table, [Registers], says of each bit what it is, what a write does to it
// and what a reset leaves of it. The space behaves by this table, and
// docs/reference/config-space.md prints it.
//
// It promises
//   - that a write changes the bits that the table calls writable and no others,
//     whatever its place, length and value;
//   - that bits which no register has read as zero;
//   - no time and no TLPs: who drives the space is host/pcie/link.
//
// Section numbers in comments are those of the PCI Express Base Specification,
// revision 5.0, unless they say otherwise.
package config
