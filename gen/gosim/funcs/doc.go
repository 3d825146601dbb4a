// Package funcs prints the functions of a model: methods that evaluate units, store the next values
// of registers, write memories, and transfer ports.
//
// unit.go evaluates units with package expr, one lane or word of lanes after the other. packed.go
// evaluates several lanes in a word, and alone.go operations with a loop of their own. commit.go,
// clearing.go and memory.go implement clock edges, inputs.go and outputs.go the transfer of ports.
// Operations on many lanes also become a kernel, which a function calls on targets that have it
// (kernels.go). A function marks the readers of the values that it has changed (store.go,
// marks.go), and marked.go calls the functions whose marks are set.
//
// A Printer makes no decisions: the plan contains all of them. It prints the same functions
// whatever kernels there are.
package funcs
