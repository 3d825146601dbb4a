// Package kernel has operations on vectors of lanes, as a typed intermediate form, and
// prints them as Go assembly.
//
// A Kernel computes something in all lanes of a unit: words of one size, or of several, which a
// conversion takes from one to the other, and masks of a bit a lane. It is in static single assignment form: a Value
// is the number of the instruction that makes it. What is of use in some lanes alone may be left out where a vector
// has none of them. Memory is a structure, by field. Verify reports what is wrong with a kernel; String returns its text.
// Simplify (simplify.go, cut.go) makes one that does the same with fewer instructions.
//
// A Target is an instruction set of amd64. Package avx2 and package avx512 are the targets; this package knows neither.
// An Assembly (assembly.go) prints functions that have a body for each target that its user names. A target selects instructions with
// Code (code.go, address.go). All targets share the frame of a function with its loop over
// vectors and its changes (frame.go), the loop that copies memory (copy.go) and the allocation of registers (allocate.go).
// A kernel that takes too much of a target is an error, and the model does without that kernel at that level.
//
// The same kernels and targets always give the same text.
package kernel
