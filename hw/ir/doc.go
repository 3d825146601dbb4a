// Package ir is what a hardware description elaborates to: a small, strictly
// typed, structured representation of synchronous two-state logic.
//
// A Design is a list of Modules, callees first. A Module has Ports and a Body
// Scope; a Scope declares Signals and Mems, instantiates other modules, holds
// Stmts, and contains Fors: loops whose body is a Scope that exists N times.
// Arrays of instances, of registers and of wires are one concept, the For, and
// stay loops until a consumer wants them unrolled. Signals that cross a loop's
// boundary are vectors (Type.Len > 0), indexed by an Affine function of the
// loop variables.
//
// Semantics: there is one clock, clk, and one synchronous active-high reset,
// rst. All state starts at zero. A wire has the value of the last assignment
// in program order whose conditions hold, and must have one on every path; a
// register takes that value at the next clock edge and otherwise holds. Reading
// a signal always gives its settled value, wherever the read stands.
// Operands of an operator have equal widths; signedness belongs to the operator.
//
// The package promises that a Design accepted by Verify can be printed and
// simulated without further checks. It imports only the standard library.
package ir
