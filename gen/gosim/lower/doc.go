// Package lower builds kernels (package kernel) for operations of a plan on many lanes: units,
// writes to memories, and next values of registers. An error says why there is no kernel; the model
// then does the same in Go.
//
// A Builder adds operations of a plan to a kernel (builder.go, node.go). read.go adds their
// operands, place.go computes memory addresses, op.go and list.go add the operations, and wide.go
// adds operations on values of several words. unit.go builds the kernels of a unit, one for each
// size of words in it (size.go); route.go builds the kernels of a Route. write.go builds kernels
// for writes to memories, registers.go for next values of registers.
package lower
