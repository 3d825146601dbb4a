// Package wrap provides top modules that connect the accelerator to other boundaries than its own.
//
// AXI is the accelerator with an AXI4 master (Arm IHI 0022), including the DMA. Each descriptor
// becomes one or two bursts of full width, which do not cross 4 KiB. Their ID is the tag. So
// answers of different descriptors may arrive in any order, and reads may interleave. RRESP and
// BRESP determine the status of the descriptor. If a read address is not a multiple of the stream's
// bytes, the data is shifted; only one such read is in flight at a time. Write data is shifted to
// its lanes.
//
// VerilogPCIe is the accelerator for the DMA of verilog-pcie: dma_if_pcie with its AXI4-Stream
// clients and memories. The engines of this package allocate space in these memories, send each
// descriptor first to one and then to the other module, and finish descriptors in order.
//
// XDMA is the accelerator for two channels of AMD's XDMA core with descriptor bypass. The channels
// report no status for failed descriptors, so a failed descriptor never ends. Subsequent
// descriptors wait until rst.
package wrap
