// Package cycle puts a simulated accelerator into a PCIe slot: it drives the
// boundary of the design (AXI4-Lite, descriptor, data and status streams,
// interrupt, straps; docs/reference/accelerator.md) from a transactional PCIe endpoint, cycle by
// cycle, on a clock of the event kernel. It is the model of the hard IP and DMA
// engine around the generated Verilog.
//
// The card lets the clock sleep while the design is quiet and nothing arrives,
// which changes no result: a quiet design is one whose next edge changes
// nothing.
package cycle
