// Package external runs the generated Verilog of a design in Verilator or Icarus
// Verilog, or its compiled model in a program of its own, so that they can be compared
// with the interpreter.
//
// The simulator is a child process at the end of two pipes. Its natural
// use is in blocks (sim.Batch): a thousand cycles of inputs go in, their
// outputs come back. On top of that it is a sim.Simulator. State starts at zero, or with what sim.PowerUp gives it; in FourState it starts unknown.
//
// It runs the programs verilator (which needs make and a C++ compiler) or iverilog,
// iverilog-vpi (which needs a C compiler) and vvp, for models go. What they build is kept in a cache directory, by the hash
// of everything that went into it.
package external
