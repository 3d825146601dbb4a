package model

func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

func xgetbv() (eax, edx uint32)

// detect returns the highest level whose instructions the processor supports and whose registers
// the operating system saves.
func detect() Level {
	const (
		avx      = 1<<27 | 1<<28                         // leaf 1, ecx: OSXSAVE, AVX
		avx2     = 1 << 5                                // leaf 7, ebx
		avx512   = 1<<16 | 1<<17 | 1<<28 | 1<<30 | 1<<31 // leaf 7, ebx: F, DQ, CD, BW, VL
		more     = 1<<1 | 1<<8 | 1<<12 | 1<<14           // leaf 7, ecx: VBMI, GFNI, BITALG, VPOPCNTDQ
		vectors  = 1<<1 | 1<<2                           // XCR0: 256-bit vectors
		vectors2 = 1<<5 | 1<<6 | 1<<7                    // XCR0: masks, 512-bit vectors, additional vector registers
	)
	if most, _, _, _ := cpuid(0, 0); most < 7 {
		return Portable
	}
	if _, _, c, _ := cpuid(1, 0); c&avx != avx {
		return Portable
	}
	_, b, c, _ := cpuid(7, 0)
	kept, _ := xgetbv()
	switch {
	case b&avx2 == 0 || kept&vectors != vectors:
		return Portable
	case b&avx512 != avx512 || c&more != more || kept&vectors2 != vectors2:
		return AVX2
	}
	return AVX512
}
