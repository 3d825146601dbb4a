// Package dispatch implements the data dispatcher of the accelerator (paper Section V-A). The
// dispatcher accepts commands, checks them and executes one at a time. Its subpackages are:
//
//	address   the address registers
//	input     the input eDRAM and its loader, the input classifier, the bitmap
//	memory    the memory controller, which converts the lookups of non-popular inputs,
//	          or a list of rows to update, into reads, reducer operations and writes;
//	          and the unit that reads the hot set out of the EAL
//
// docs/reference/accelerator.md specifies the formats. The reads, operations and writes of each command, and
// the order within each of these lists, equal the lists of Model, the reference in plain Go.
package dispatch
