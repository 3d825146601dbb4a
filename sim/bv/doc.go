// Package bv computes with bit vectors of any width. A vector of width bits is a []uint64 of
// (width+63)/64 little-endian words with unused high bits zero. The engines use it for values wider
// than one machine word.
//
// Every function expects and produces values in that form. The caller allocates dst with the
// result's number of words; dst may be an operand unless a function says otherwise. The semantics
// match the operators of hw/ir. No function allocates.
package bv
