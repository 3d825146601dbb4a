// Package external runs a design in another process, for comparison with the interpreter. The
// process is Verilator or Icarus Verilog with the generated Verilog, or a program with the compiled
// model.
//
// The simulator is a child process connected by two pipes. The most efficient interface is
// sim.Batch: the parent sends the inputs of a thousand cycles and receives their outputs. A Process
// is also a sim.Simulator. State is initially zero, unless sim.PowerUp sets it; with FourState, it
// is initially unknown.
//
// Verilator requires the program verilator, make and a C++ compiler. Icarus Verilog requires
// iverilog, iverilog-vpi, vvp and a C compiler. Models require go. The package caches build results
// by a hash of all their inputs.
package external
