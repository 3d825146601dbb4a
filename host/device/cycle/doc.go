// Package cycle puts a simulated accelerator into a PCIe slot. It models the hard IP and the DMA
// engine around the generated Verilog. A transactional PCIe endpoint drives the boundary of the
// design cycle by cycle, on a clock of the event kernel. The boundary consists of AXI4-Lite,
// descriptor, data and status streams, interrupt and straps (docs/reference/accelerator.md).
//
// The clock sleeps while the design is idle and nothing arrives. This changes no result, because an
// idle design is a design whose next clock edge changes nothing.
package cycle
