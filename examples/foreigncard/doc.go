// Package foreigncard drives a PCIe card whose design is Verilog of another project, unmodified:
// axidma of wb2axip (https://github.com/ZipCPU/wb2axip), which moves memory by an AXI4 master.
// dma_top.v sets its sizes. docs/how-to/own-card.md explains how to serve it.
package foreigncard
