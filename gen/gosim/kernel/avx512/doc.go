// Package avx512 selects the instructions of kernels for AVX-512, with the extensions F, BW, CD,
// DQ, VL, VBMI, BITALG, VPOPCNTDQ and GFNI: vectors of 512 bits in 32 registers, and masks in
// registers of their own.
//
// avx512.go selects instructions for operations on words and on masks. memory.go loads and stores.
// pick.go collects lanes from memory by permutations of 64 bytes. rows.go reads and writes rows of
// words, scatter.go stores lanes one by one, and parities.go multiplies by bit matrices.
package avx512
