// Package wrap holds tops that put the accelerator behind other boundaries than its own.
//
// AXI is the accelerator as an AXI4 master (Arm IHI 0022): the DMA is inside. Each
// descriptor becomes one or two bursts of full width, which do not cross 4 KiB, with its tag
// as their ID, so that answers may come in any order between descriptors and reads may
// interleave. RRESP and BRESP become the status of the descriptor. An address that is no
// multiple of the stream's bytes is shifted to lane 0 and back; of such reads one is under
// way at a time.
//
// VerilogPCIe is the accelerator for the DMA of verilog-pcie, dma_if_pcie, with its clients
// for AXI4-Stream and its memories: the engines here hand out places in these, send each
// descriptor to one and then to the other, and finish descriptors in their order.
//
// XDMA is the accelerator for two channels of AMD's core with descriptor bypass. These have no
// status for a descriptor, so that one that fails is never over: what is behind it waits until
// rst.
//
// The package imports hw, hw/lib, hw/hotline/arch, dma and top.
package wrap
