// Package formal proves the assertions of a design, or finds a run in which one fails.
//
// What is proved is the generated Verilog: Yosys reads it with FORMAL and makes gates of it
// (yosys.go), which become an and-inverter graph (circuit.go, aiger.go) for ABC (abc.go).
// Prove is by induction: ABC merges signals that six-step induction shows to be equal, and
// then looks for an inductive invariant (property-directed reachability), which it checks.
// Search looks at the first steps only. A failure is played back on the graph (trace.go), which
// tells the assertion with its place in the Go source, and the run up to it.
//
// The model of a run:
//
//   - Inputs are free in each step, but for what the design assumes (m.Assume).
//   - The resets act in the first step, and never again: what they do not reset has any value
//     then. In a design with several clocks they act for four steps.
//   - A single clock has an edge in each step. Of several clocks any may have one in each
//     step, and all have one while the resets act. Registers are settled at the next edge of
//     their clock, as in simulation.
//   - What a memory holds at first is free, unless it has contents.
//
// Assertions are best about small sizes of a block, in a module around it that keeps the
// books: the files formal_test.go. Only tests import the package.
package formal
