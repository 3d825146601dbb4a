// Package shell models the environment of the accelerator for the campaign: an AXI4-Lite master,
// read and write descriptor engines over a sparse memory, and the interrupt receiver. It responds
// in random order after random times, injects the errors that occur on a PCIe link, and records
// every descriptor with its outcome.
//
// It also checks the protocol at the boundary: valid is held until ready, tags, lengths,
// alignments, the order and the markers of write data, and the level of the interrupt. It does not
// check data or addresses.
package shell
