// Package kernel contains the innermost loops of training, in float32: layers, interaction and
// rectifier for many inputs at a time. It also contains the loops of package exact that sum over
// inputs.
//
// # Rule
//
// Every sum inside one input is computed in index order, one float32 addition at a time. Products
// are rounded before they are added, and none is skipped, not even products with zero. This
// determines each result to the bit. The implementation may choose which independent sums advance
// together. A Tensor interleaves inputs, so that one instruction processes the same sum of several
// inputs.
//
// There are three implementations with the same results: Go only, amd64 with AVX2 and FMA, and
// amd64 with AVX-512. The package uses the best one that the processor supports.
// GODEBUG=cpu.avx512f=off,cpu.avx2=off in the environment disables the other two. Results are
// bit-identical except for the sign and payload of a NaN.
//
// AddProducts and AddInputs add float64 numbers in unspecified order. Package exact ensures that
// the order does not matter.
//
// # Generated assembly
//
// The program in directory asm generates kernel_amd64.s and stubs_amd64.go with
// github.com/mmcloughlin/avo; go generate runs it. It is a separate module, so that this module
// does not depend on avo.
package kernel
