// Package reduce implements the reducer: an array of FP32 ALUs in front of the embedding vector
// buffer. It pools rows into vectors (add) and updates rows (mul, add). Model is the reference in
// plain Go.
//
// Ops take effect in order. They alternate between the vectors of a group, so that the reducer
// accepts a beat of a row in every cycle although a sum takes several cycles. Arithmetic is
// binary32, rounded to nearest even after each op, with subnormals. Each NaN result is the quiet
// NaN 0x7fc00000. A loaded row is stored unchanged, bit for bit.
//
// The buffer is a ring. A vector that is being sent does not delay the next vector, which uses the
// following locations.
package reduce
