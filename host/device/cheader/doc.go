// Package cheader makes the C header of the accelerator: PCI ids, registers and their
// fields, commands, s_wr registers, statuses, and the layouts of what lies in rings
// and lists. It is for the kernel and for programs, and does not depend on a
// configuration: the card tells its sizes.
//
// Equal sources give equal bytes. Numbers are those of hw/hotline/arch and
// host/pcie/config; words that these have no names for, such as the fields of commands in
// docs/reference/accelerator.md, are in tables here, which tests compare with what the driver
// and the accelerator do.
package cheader
