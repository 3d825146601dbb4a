// Package formal proves the assertions of a design, or finds a run in which an assertion fails.
//
// The proof covers the generated Verilog. Yosys reads it with FORMAL and maps it to gates
// (yosys.go). These become an and-inverter graph (circuit.go, aiger.go) for ABC (abc.go). Prove
// uses induction: ABC merges signals that six-step induction shows to be equal. Then it searches
// for an inductive invariant (property-directed reachability), and verifies it. A failure is
// replayed on the graph (trace.go), which yields the assertion with its position in the Go source,
// and the run that leads to it.
//
// The model of a run:
//
//   - Inputs are arbitrary in each step, within the assumptions of the design (m.Assume).
//   - The resets are active in the first step, and never again. State without a reset has an
//     arbitrary value then. In a design with several clocks, the resets are active for four steps.
//   - A single clock has an edge in each step. With several clocks, any subset may have an edge
//     in each step, and all have edges while the resets are active. Registers are stable at the
//     next edge of their clock, as in simulation.
//   - The initial content of a memory is arbitrary, unless it is specified.
//
// Assertions are best proved for small sizes of a block, in a wrapper module that records the
// history that they refer to; see the files formal_test.go. Only tests import the package.
package formal
