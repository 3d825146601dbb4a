// Package dispatch is the data dispatcher of the accelerator (paper Section
// V-A): the address registers, the input eDRAM and its loader, the input
// classifier, and the memory controller that turns the lookups of non-popular
// inputs, the list of rows to update and the content of the EAL into reads,
// reducer operations and writes. docs/accelerator.md gives the formats.
//
// It promises that the reads and the reducer operations of a command come in
// the order that the reference model in this package gives. It may import hw,
// hw/lib, hw/hotline/arch and the packages of blocks that it instantiates.
package dispatch
