// Package randomdesigns runs random designs (hw/random) on all engines and compares
// them in every cycle:
//
//   - the interpreter and the generated Go model of each design: outputs,
//     registers, failed assertions, and memories at the end; the model as it is
//     used, with nothing skipped, and with quiet cycles skipped; and a copy of it beside
//     others that have other inputs;
//   - the interpreter, Verilator and Icarus Verilog on a design that has a batch of
//     them side by side, because their builds take seconds: outputs.
//
// All run on the same inputs, which depend on nothing but the seed of the design, so
// that a difference can be had again without the rest of its batch, and begin in the
// same random state. Reset comes only after some cycles.
//
// What differs, and what an engine refuses, makes it fail. docs/evidence/verification.md says
// which seeds have run.
//
// All that is built goes to a temporary folder. scripts/random-designs runs it.
package randomdesigns
