// Package dispatch is the data dispatcher of the accelerator (paper Section
// V-A). It takes commands, checks them and executes one at a time with its parts:
//
//	address   the address registers
//	input     the input eDRAM with its loader, the input classifier, the bitmap
//	memory    the memory controller, which turns the lookups of non-popular inputs,
//	          or a list of rows to update, into reads, reducer operations and
//	          writes; and what reads the hot set out of the EAL
//
// docs/reference/accelerator.md gives the formats. The package promises that what a
// command reads, operates and writes, and the order within each of these, are
// those of Model, the reference in plain Go.
package dispatch
