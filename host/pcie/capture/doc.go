// Package capture writes what a link carries to a pcapng file, and reads such a
// file again: every TLP with its direction, its time in picoseconds, and what was
// done to it on purpose. Wireshark shows it with the dissector of package
// host/trace.
//
//	w, _ := capture.NewWriter(file, "accelerator")
//	w.Function(capture.Function{ID: ep.ID(), BAR: ep.BAR()})
//	capture.Record(l, w)
//	// run
//	err := w.Close()
//
// A file has two interfaces of link type USER0 (147), one for each direction. A
// packet is a header of 16 bytes, big-endian, and what it announces:
//
//	C1 | version 1 | kind | direction (0 down, 1 up) | 0 (2 bytes) | flags (2) | time in ps (8)
//
// Kind 0 is a TLP: header, payload and digest as on the link, without framing.
// Kind 2 is a comment in UTF-8, kind 3 a function: ID (2 bytes), 0 (2), offset of
// MSI-X in the BAR (4), BAR base (8), BAR size (8). Kind 4 is how much too late the next
// TLP of the direction arrives: ps (8). Flag 1 marks a TLP that the
// receiver never gets, flag 2 one to which something was done on purpose, flag 4 one that
// nobody has sent. At the end, a statistics block of each interface has the number of its packets.
//
// It promises
//   - that what was written is read again, bit by bit;
//   - that a file which is cut off anywhere, or damaged in its structure, is an
//     error that says where, and never a shorter capture;
//   - that the library which reads pcapng sees no byte of a block before this
//     package has checked the whole block.
//
// It imports host/pcie, host/pcie/link, host/node and gopacket; nothing below it
// knows of gopacket.
package capture
