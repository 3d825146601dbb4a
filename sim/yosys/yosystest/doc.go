// Package yosystest runs the netlist of a block in the test of the block. For scripts/mutate it
// also runs mutants, and for scripts/gates the gates; it writes reports of both.
package yosystest
