// Package yosystest lets the test of a block run the netlist of the block. By itself that
// is all it does. For scripts/mutate it also runs mutants, and for scripts/gates the netlist
// of gates, and reports of both.
package yosystest
