// Package kernel holds the innermost loops of training: layers, interaction and rectifier for many inputs at once, in float32, and
// the sums over inputs that package exact is made of.
//
// # Rule
//
// Every sum inside one input runs in the order of its index, one float32 addition after the other; products are rounded before
// they are added, and none is left out, not even those with a zero. That fixes each result to the bit. What is free is which of the
// many independent sums advance together: inputs lie side by side (see Tensor), and one instruction works on the same sum of
// several inputs.
//
// There are three implementations with the same results: Go alone, amd64 with AVX2 and FMA, amd64 with AVX-512. The best that
// the processor has is used; GODEBUG=cpu.avx512f=off,cpu.avx2=off in the environment rules out the other two. The results are the
// same bits, but for the sign and payload of a NaN.
//
// AddProducts and AddInputs add float64 numbers in no particular order. It is up to package exact that this does not matter.
//
// # Where the assembly comes from
//
// kernel_amd64.s and stubs_amd64.go are written by the program in directory asm, with github.com/mmcloughlin/avo; go generate
// runs it. It is a module of its own, so that this one needs no avo.
package kernel
