// Package cheader generates the C header of the accelerator: PCI ids, registers and their fields,
// commands, s_wr registers, statuses, and the layouts of entries in rings and lists. The header is
// for the kernel and for programs. It does not depend on a configuration, because the card reports
// its sizes.
//
// The output is deterministic. The numbers are from hw/hotline/arch and host/pcie/config. These
// packages do not name some fields, such as the fields of commands in docs/reference/accelerator.md. They are
// in tables here, and tests compare the tables with the driver and the accelerator.
package cheader
