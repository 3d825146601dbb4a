// Package yosys runs designs as Yosys understands them. It has Yosys read the generated Verilog of a
// design and reads the flat netlist back, of operations or of gates, as a design that
// engines in Go run: with the same ports, and with registers and memories of the same names. So the test
// of a block runs what synthesis makes of it, and mutants of that, which Yosys draws.
//
// A mutant that a test does not notice may be one that nobody can notice: Equivalent asks package
// formal for a proof. Gates are compared with the netlist step by step, register by register.
//
// Package eda runs Yosys and ABC. Only tests import this package.
package yosys
