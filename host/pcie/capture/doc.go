// Package capture writes the traffic of a link to a pcapng file and reads such a file. The file
// contains every TLP with its direction, its time in picoseconds, and injected faults. Wireshark
// displays it with the dissector of package host/device/trace.
//
//	w, _ := capture.NewWriter(file, "accelerator")
//	w.Function(capture.Function{ID: ep.ID(), BAR: ep.BAR()})
//	capture.Record(l, w)
//	// run
//	err := w.Close()
//
// [NewRing] keeps only the beginning and the last packets. The format is described in
// docs/how-to/captures.md.
//
// The package guarantees:
//   - Written packets are read back bit by bit.
//   - A file that is truncated anywhere, or whose structure is damaged, gives an error with its
//     position, and never a shorter capture. A [TornError] follows all complete packets.
//   - Flushed packets survive the end of the process.
//   - This package checks a whole block before the pcapng library sees any byte of it.
//
// No package below this one depends on gopacket.
package capture
