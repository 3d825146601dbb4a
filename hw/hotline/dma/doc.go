// Package dma holds the two engines between the blocks and the boundary of the
// accelerator, Read and Write, and their counterparts in plain Go: ReadModel
// says what Read must do with what happens at its boundary, Target is the
// memory on the far side, with delays, interleaving and faults.
//
// Both engines keep up to Tags descriptors in flight. They hand out tags in the
// order of a ring and take them back in the same order, in whatever order the
// descriptors finish. Besides, Read reads commands, with CommandTags tags of
// their own, which are free as soon as they have finished. A descriptor finishes
// by its status and by nothing else: one that fails, with or without data, gives
// its tag back like any other. Read counts the data of each tag itself; what no
// outstanding tag expects is dropped and counted.
//
// The boundary follows docs/reference/accelerator.md: AXI4-Stream data (Arm IHI 0051) and
// the descriptor ports and error codes of verilog-pcie. The package imports hw,
// hw/lib and hw/hotline/arch.
package dma
