// Package dma implements the two engines between the blocks and the boundary of the accelerator,
// Read and Write. It also has their counterparts in plain Go: ReadModel is the reference of Read,
// and Target is the memory on the far side, with delays, interleaving and faults.
//
// Both engines keep up to Tags descriptors in flight. They allocate tags in ring order and free
// them in the same order, regardless of the order in which the descriptors finish. Read also reads
// commands, with CommandTags tags of their own, which are free as soon as they have finished. Only
// its status finishes a descriptor: a failed descriptor, with or without data, frees its tag like
// any other. Read counts the data of each tag itself; it drops and counts data that no outstanding
// tag expects.
//
// The boundary follows docs/reference/accelerator.md: AXI4-Stream data (Arm IHI 0051) and the descriptor
// ports and error codes of verilog-pcie.
package dma
