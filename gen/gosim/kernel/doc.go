// Package kernel has operations on vectors of lanes, as a typed intermediate form, and
// prints them as Go assembly.
//
// A Kernel computes something of all lanes of a unit: words of one size, and masks of a
// bit a lane. It is in static single assignment form: a Value is the number of the
// instruction that makes it. Memory is that of a structure, by field. Verify says what
// holds of a kernel; String is its text.
//
// AVX512 prints kernels for amd64 (avx512.go chooses instructions, allocate.go gives them
// registers). It takes what the first processors with all of its extensions have: F, BW,
// DQ, VL, VBMI, BITALG and VPOPCNTDQ.
package kernel
