// Package config implements the configuration space of a PCI Express endpoint: 4 KiB of registers.
// A host uses them to identify a function, to assign its addresses and to enable its features.
//
//	s, _ := config.New(config.DefaultFunction())
//	s.Write(config.BAR0, []byte{0xff, 0xff, 0xff, 0xff})
//	size := ^s.DW(config.BAR0) + 1
//
// The table returned by [Registers] defines for each bit its meaning and its behaviour on writes
// and resets. The implementation and docs/reference/config-space.md are derived from this table.
//
// The package guarantees:
//   - A write of any offset, length and value changes only the bits that the table marks as
//     writable.
//   - Bits outside all registers read as zero.
//   - The package has no time and no TLPs; package host/pcie/link drives the space.
//
// Section numbers in comments refer to the PCI Express Base Specification, revision 5.0, unless
// stated otherwise.
package config
