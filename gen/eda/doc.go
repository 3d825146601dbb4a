// Package eda runs Yosys and ABC, and reads and writes the JSON netlists of Yosys.
//
// Each run has a folder, in which scripts find their files and leave their results. Errors contain
// the end of the program's log, which names file and line of the Verilog.
//
// The package does not depend on designs. Packages gen/synth, gen/formal and sim/yosys use it.
package eda
