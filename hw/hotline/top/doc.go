// Package top is the accelerator: all blocks behind the boundary that
// docs/reference/accelerator.md describes (AXI4-Lite slave, DMA descriptor, data and
// status streams named as in verilog-pcie, interrupt request, straps).
//
// It may import hw, hw/lib and the packages of the blocks.
package top
