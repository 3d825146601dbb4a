// Package kernel defines an intermediate form of operations on vectors of lanes, and translates it
// to Go assembly.
//
// A Kernel computes values in all lanes of a unit: words, of one size or of several sizes that
// conversions connect, and masks with a bit for each lane. The form is static single assignment: a
// Value is the number of the instruction that computes it. Instructions whose results matter only
// in some lanes may be skipped if a vector has none of these lanes. Memory is a structure of
// fields. Verify checks a kernel; String returns its text. Simplify (simplify.go, cut.go) reduces
// the number of instructions and preserves the results.
//
// A Target is an instruction set of amd64. Packages avx2 and avx512 define the targets; this
// package depends on neither. An Assembly (assembly.go) prints functions with a body for each
// target that its user names. A target selects instructions with Code (code.go, address.go). All
// targets share the frame of a function with its loop over vectors and its changes (frame.go), the
// loop that copies memory (copy.go), and the register allocator (allocate.go). A kernel that
// exceeds the limits of a target is an error; the model then does without that kernel on that
// target.
//
// The same kernels and targets always give the same text.
package kernel
