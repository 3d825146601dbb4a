// Package cycle makes kernels (package kernel) of whole clock cycles of copies of a design, a block of copies after the
// other. An error says why there are none; the model then evaluates units.
//
// A cycle is tasks: operations and their effects (tasks.go, effects.go). parities.go, zeros.go and memory.go find tasks
// that are done together. phases.go divides the tasks into phases, which moves.go improves by what they cost (costs.go).
// A phase is one kernel or several: alike.go finds tasks that do the same with other values, by labels.go, and parts.go
// makes them parts of the phase, whose values follow each other in memory (layout.go). within.go groups tasks that are of
// use in the same lanes alone. block.go does the tasks of a part with a Builder of package lower; fetch.go has one kernel
// fetch the inputs of the next cycle.
package cycle
