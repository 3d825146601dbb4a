// Package eda runs Yosys and ABC, and reads and writes the netlists that Yosys exchanges as JSON.
//
// A run has a folder: scripts name their files in it, and results appear there. Errors contain the
// end of the program's log, which names file and line of the Verilog.
//
// Packages gen/synth, gen/formal and sim/yosys are built on it. It knows nothing of designs.
package eda
