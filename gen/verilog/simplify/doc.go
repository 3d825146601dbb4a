// Package simplify rewrites the IR as a person would write it: without double negations,
// comparisons with one outcome, selections of what is at hand, and branches that are never
// taken. It also replaces operators with operands that a tool gets wrong.
//
// Results are equivalent to the originals. The IR of a design does not change: Module returns
// new statements. Expressions that were shared stay shared, so that equal nodes mean equal
// values.
//
// Other packages construct expressions with Node, so that these are simplified as well, and ask
// about them with AnyOf, Decodes, FixedIndex and others.
package simplify
