// Package dispatch is the data dispatcher of the accelerator (paper Section
// V-A): the address registers, the input eDRAM and its loader, the input
// classifier, and the memory controller that turns the lookups of non-popular
// inputs, the list of rows to update and the content of the EAL into reads,
// reducer operations and writes. docs/accelerator.md gives the formats.
//
// It promises that what a command reads, operates and writes, and the order
// within each of these, are those of Model, the reference in plain Go. It may
// import hw, hw/lib, hw/hotline/arch, the packages of the blocks that it
// instantiates or whose formats it uses (randomizer, eal, lookup, dma, reduce).
package dispatch
