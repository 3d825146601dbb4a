// Package split rewrites a flattened design into operations on words of at most 64 bits.
//
// Wide values become words. Choices among elements, decoders and similar operators become
// multiplexers and comparisons. Memories of wide words get one address for each part of a word. The
// resulting operations do the same in every instance of a design and have only whole values as
// operands, so that instances can be the lanes of vectors. Only products, quotients and remainders
// stay wide.
//
// Shorter words let more instances share a vector. A value with zeros in its low bits is therefore
// shifted right in shorter words, if only part of the result is used (raised.go). A slice within a
// slice is taken from the outer slice, if the outer slice is a shorter word (nested.go).
package split
