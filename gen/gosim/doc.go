// Package gosim makes a Go package from a design: a cycle model of it that is
// faster than an interpreter by orders of magnitude, and exact.
//
// The design is flattened, so that hierarchy and false loops are gone, and then
// rolled up again: operations that come from the same expression in all copies
// of a loop become one operation on an array. Arrays of one-bit values are
// machine words, and logic on them works on 64 lanes at a time; other arrays
// are evaluated in loops over lanes with everything that fits in local
// variables. Operations that follow each other are one function, a unit. A unit
// is evaluated only when something that it reads has changed since it last was,
// so that an idle design costs next to nothing; that is exact, not a hint.
//
// It imports hw/ir and below.
package gosim
