// Package expr computes the operations of a plan in Go. It builds expressions for the words of
// their results and appends the statements that these need.
//
// An Evaluator computes values in the present lane of a unit, or in the present word of lanes.
// operands.go reads operands, and bits.go cuts and joins bits. narrow.go implements operations on
// values of up to 64 bits, wide.go operations on longer values, and list.go operations on lists of
// elements. gathered.go and rearranged.go collect bits from several sources. packed.go computes
// several lanes in a word.
//
// An Evaluator neither stores results nor prints functions; package funcs does.
package expr
