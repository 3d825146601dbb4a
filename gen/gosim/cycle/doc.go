// Package cycle builds kernels (package kernel) for whole clock cycles of a batch of instances of a
// design, one block of instances after the other. An error says why there are none; the model then
// evaluates units.
//
// A cycle consists of tasks: operations and their effects (tasks.go, effects.go). parities.go,
// zeros.go and memory.go merge operations into tasks. phases.go divides the tasks into phases, and
// moves.go moves tasks between phases to reduce costs (costs.go). A phase becomes one kernel or
// several: alike.go finds tasks that do the same with different values, by means of labels.go, and
// parts.go turns them into parts of the phase. The values of a part are contiguous in memory
// (layout.go). within.go groups tasks that are needed only in the same lanes. block.go adds the
// tasks of a part with a Builder of package lower. fetch.go selects the kernel that prefetches the
// inputs of the next cycle.
package cycle
