// Package fromverilog imports Verilog as a design of the IR. Yosys elaborates the files, and the
// package reads its netlist with the hierarchy.
//
// Guarantees:
//
//   - A module of the result is a module of the Verilog for one set of parameters. Equal instances
//     share it.
//   - Ports, registers, memories, instances and nets keep their names. The IR allows only lower
//     case: letters become small, other characters become "_", and a name that is reserved or
//     taken gets a number.
//   - A constant x is 0, and state without an initial value starts at 0. A net without a driver is
//     0, with a remark.
//   - An error names file and line if Yosys knows them. Modules, signals, instances, memories and
//     statements of the design have positions in the Verilog.
//
// A design with a single clock and no asynchronous reset has a clock of its own. In other designs,
// clocks are ports (ir.Domain). Synchronous resets are ordinary inputs.
//
// Latches, tristate nets, falling edges, clocks that are not ports or are read as data, delays, and
// inout ports are errors. The register behind an output is named after the output, with _reg. A bit
// outside a word reads as 0.
//
// State of the IR starts at 0. A register with another initial value is stored as the difference
// from this value, under its name with _from0, and a wire has its name and its value.
package fromverilog
