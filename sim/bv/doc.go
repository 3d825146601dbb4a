// Package bv computes with bit vectors of any width: little-endian []uint64,
// (width+63)/64 of them, unused high bits zero. The engines use it for values
// that do not fit in one machine word.
//
// Every function takes and gives values in that form; dst has the result's
// number of words and may be one of the operands unless a function says
// otherwise. Semantics are those of the operators of hw/ir. Nothing allocates.
package bv
