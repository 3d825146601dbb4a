// Package lower makes kernels (package kernel) of what a plan does in many lanes: of units, of writes to memories and of
// next values of registers. An error says why there is no kernel; the model then does the same in Go.
//
// A Builder adds operations of a plan to a kernel (builder.go, node.go): read.go adds what they read, from where place.go
// says, op.go and list.go what they do, wide.go the same with values of several words. unit.go makes the kernels of a unit,
// one for each size of words in it (size.go), route.go the kernels of a routing. write.go makes kernels of writes to memories,
// registers.go kernels of next values of registers.
package lower
