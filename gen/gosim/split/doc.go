// Package split rewrites a flattened design in operations on words of at most 64 bits.
//
// Wide values become words; choices among elements, decoders and the like become
// multiplexers and comparisons; memories of wide words get an address for each of their
// parts. What is left does the same in every copy of a design, with nothing but whole
// values as operands, so that copies can be the lanes of vectors. Few operations stay wide:
// products, quotients and remainders.
//
// The shorter words are, the more copies are in a vector: what has zeros below is shifted to
// the right in shorter words if little of it is used (raised.go), and what lies within a
// slice that is a shorter word is taken from there (nested.go).
package split
