// Package funcs prints the functions of a model: methods that evaluate units, give registers their next values, write
// memories, and move ports.
//
// unit.go evaluates units, one lane or word of lanes after the other, with package expr; packed.go several lanes in a
// word, and alone.go operations with a loop of their own. commit.go, clearing.go and memory.go do what happens at a clock
// edge, inputs.go and outputs.go what happens to ports. What is done in many lanes is also a kernel, which a function calls
// at levels that have it (kernels.go). A function marks who reads what it has changed (store.go, marks.go), and marked.go
// calls the functions whose marks are set.
//
// A Printer decides nothing: a plan has all decisions. It prints the same functions whatever kernels there are.
package funcs
