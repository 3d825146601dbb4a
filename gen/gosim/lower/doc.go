// Package lower makes kernels (package kernel) of what a plan does in many lanes. An error says why there is no
// kernel.
//
// unit.go makes those of the operations of a unit, one for each size of words in it (size.go): read.go has what
// they read, op.go and list.go what they do, wide.go the same with values of several words. route.go makes those of
// routings, write.go those of writes to memories, registers.go those of next values of registers.
//
// block.go makes kernels of whole cycles of copies of a design: tasks.go divides a cycle into phases, moves.go
// moves tasks between these, parities.go, rows.go and zeros.go put together what is done at once, and within.go what
// is of use in the same lanes alone. alike.go finds parts of a phase that do the same, by labels.go, and placed.go puts
// their values one behind the other.
package lower
