// Package netlist runs designs as Yosys understands them. It has Yosys read the generated Verilog of a
// design and reads the flat netlist back, of operations or of gates, as a design that
// engines in Go run: with the same ports, and with registers and memories of the same names. So the test
// of a block runs what synthesis makes of it, and mutants of that, which Yosys draws.
//
// A mutant that a test does not notice may be one that nobody can notice; Equivalent asks for a
// proof.
//
// It runs the program yosys. Nothing but tests imports it.
package netlist
