// Package interp runs any design at once, without generating code: an
// event-driven interpreter of the flattened design.
//
// Operations stand in topological order; one is evaluated only when an operand
// changed, and at a clock edge only registers and memories whose inputs changed
// are looked at. An idle design therefore costs next to nothing and a busy one
// costs in proportion to its activity.
//
// It promises the semantics of hw/ir, bit for bit, and is the reference for the
// faster engines.
package interp
