// Package capture writes what a link carries to a pcapng file, and reads such a
// file again: every TLP with its direction, its time in picoseconds, and what was
// done to it on purpose. Wireshark shows it with the dissector of package
// host/device/trace.
//
//	w, _ := capture.NewWriter(file, "accelerator")
//	w.Function(capture.Function{ID: ep.ID(), BAR: ep.BAR()})
//	capture.Record(l, w)
//	// run
//	err := w.Close()
//
// [NewRing] keeps the beginning and the last packets only.
//
// docs/how-to/captures.md has the format.
//
// It promises
//   - that what was written is read again, bit by bit;
//   - that a file which is cut off anywhere, or damaged in its structure, is an
//     error that says where, and never a shorter capture. A [TornError] comes after
//     all packets that are whole;
//   - that packets which were flushed outlast the process;
//   - that the library which reads pcapng sees no byte of a block before this
//     package has checked the whole block.
//
// Nothing below it knows of gopacket.
package capture
