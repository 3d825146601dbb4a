// Package kernel has operations on vectors of lanes, as a typed intermediate form, and
// prints them as Go assembly.
//
// A Kernel computes something of all lanes of a unit: words of one size, or of several, which a
// conversion takes from one to the other, and masks of a bit a lane. It is in static single assignment form: a Value is the number of the
// instruction that makes it. What is of use in some lanes alone may be left out where a vector has none of them. Memory is that of a structure, by field. Verify says what
// holds of a kernel; String is its text. Simplify (simplify.go, cut.go) has one do the same with fewer instructions.
//
// A Target is the instructions of amd64 that an Assembly prints kernels with. AVX512
// (avx512.go, pick.go) has masks in registers of their own and a permutation of all bytes of
// a vector. AVX2 (avx2.go, avx2pick.go, avx2word.go) keeps a mask as lanes of a vector, or
// their opposite, shuffles 16 bytes of memory at a time and puts together what it has no
// instruction for. The file (assembly.go), the loop over vectors, places in memory and the
// changes that a kernel tells (selector.go), and the allocation of registers (allocate.go) are
// the same for both. What takes too much of
// a target is an error, and the model does without the kernel at that level.
package kernel
