package model

// Vectors tells whether the processor has the vector instructions of generated kernels:
// AVX-512 with F, BW, DQ, VL, VBMI, BITALG and VPOPCNTDQ, and a system that keeps their
// registers.
var Vectors = hasVectors()

func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

func xgetbv() (eax, edx uint32)

func hasVectors() bool {
	const (
		osxsave  = 1 << 27                          // leaf 1, ecx
		features = 1<<16 | 1<<17 | 1<<30 | 1<<31    // leaf 7, ebx: F, DQ, BW, VL
		more     = 1<<1 | 1<<12 | 1<<14             // leaf 7, ecx: VBMI, BITALG, VPOPCNTDQ
		state    = 1<<1 | 1<<2 | 1<<5 | 1<<6 | 1<<7 // XCR0: vectors, masks
	)
	if most, _, _, _ := cpuid(0, 0); most < 7 {
		return false
	}
	if _, _, c, _ := cpuid(1, 0); c&osxsave == 0 {
		return false
	}
	if x, _ := xgetbv(); x&state != state {
		return false
	}
	_, b, c, _ := cpuid(7, 0)
	return b&features == features && c&more == more
}
