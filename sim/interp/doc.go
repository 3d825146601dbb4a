// Package interp is an event-driven interpreter of the flattened design. It runs any design
// immediately, without generating code.
//
// Operations are in topological order. An operation is evaluated only when an operand changes. A
// clock edge only processes registers and memories whose inputs changed. The cost of a cycle is
// therefore proportional to the activity of the design; an idle design costs almost nothing.
//
// The interpreter implements the semantics of hw/ir bit for bit and is the reference for the faster
// engines.
package interp
