// Package top assembles the accelerator: all blocks behind the boundary that docs/reference/accelerator.md
// specifies. The boundary consists of an AXI4-Lite slave, streams for DMA descriptors, data and
// statuses (named as in verilog-pcie), the interrupt request and the straps.
package top
