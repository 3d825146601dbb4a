// Package randomdesigns runs random designs (hw/random) on all engines and compares the engines in
// every cycle:
//
//   - The interpreter and the compiled Go model of each design, on outputs, registers, failed assertions
//     and, at the end, memories. The model runs in its normal mode, with all logic evaluated, and with
//     idle cycles skipped. It also runs as an instance in a batch with different inputs.
//   - The interpreter, Verilator and Icarus Verilog, on outputs. Since their builds take seconds, they
//     run a design that contains a batch of random designs.
//
// All engines run on the same inputs and start in the same random state. Both depend only on the
// seed of the design, so that a difference is reproducible without the rest of its batch. Reset is
// first asserted after some cycles.
//
// The campaign fails if engines differ or an engine refuses a design. docs/evidence/verification.md
// states the seeds that have run.
//
// All build products are in a temporary folder. scripts/random-designs runs the campaign.
package randomdesigns
