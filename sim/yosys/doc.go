// Package yosys runs designs as Yosys interprets them. Yosys reads the generated Verilog of a
// design. The package reads the resulting flat netlist, of operations or of gates, back as a design
// for Go engines. Ports, registers and memories keep their names. The test of a block can therefore
// run the result of its synthesis, and mutants of that, which Yosys samples.
//
// A mutant that survives a test may be equivalent to the original: Equivalent asks package formal
// for a proof. Gates are compared with the netlist for one clock cycle, register by register.
//
// Package eda runs Yosys and ABC. The package is for tests only.
package yosys
