// Package expr computes the operations of a plan in Go: it makes expressions for the words of their results, and appends
// the statements that these need.
//
// An Evaluator computes values in the present lane of a unit, or in the present word of lanes. operands.go reads
// operands, bits.go takes and joins bits, narrow.go has operations on values of up to 64 bits and wide.go those on longer
// ones, list.go operations on lists of elements, gathered.go and rearranged.go bits that come from elsewhere. packed.go
// computes several lanes in a word.
//
// An Evaluator does not store results, and knows nothing of functions: that is package funcs.
package expr
