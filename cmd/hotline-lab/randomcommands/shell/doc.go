// Package shell is what stands around the accelerator in the campaign: an
// AXI4-Lite master, read and write descriptor engines over a sparse memory, and
// the receiver of the interrupt. It serves in random order and time, makes
// mistakes as a PCIe link makes them, and records every descriptor with what
// became of it.
//
// It also holds the accelerator to the protocol of the boundary: valid until
// ready, tags, lengths, alignments, the order and the marks of write data, the
// level of the interrupt. What data and addresses must be, it does not know.
package shell
