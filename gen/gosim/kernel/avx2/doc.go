// Package avx2 selects the instructions of kernels for AVX2: vectors of 256 bits in 16 registers,
// and no registers for masks.
//
// avx2.go selects instructions for operations on words, masks.go for operations on masks. memory.go
// loads and stores. pick.go collects lanes from memory by shuffles of 16 bytes at a time. word.go
// implements operations without an instruction of their own.
package avx2
