package kernel

import (
	"unsafe"

	"golang.org/x/sys/cpu"
)

//go:generate go -C asm run . -out ../kernel_amd64.s -stubs ../stubs_amd64.go -pkg kernel

// implementations returns the implementations that this processor supports, best last.
func implementations() []implementation {
	all := []implementation{portable}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		all = append(all, implementation{
			name: "AVX2",
			rows: 4, linearTile: linear(linearTileAVX2), linearRow: linear(linearRowAVX2),
			outputs: 4, inputs: 12, productsTile: products(productsTileAVX2),
			sumsTile: func(s, y []float64, terms int) { sumsTileAVX2(first(s), first(y), terms) },
			pack:     packs(packAVX2), packOdd: packs(packOddAVX2),
			rectify:     func(x []float32) { rectifyAVX2(first(x), len(x)/Lanes) },
			rectifyBack: func(dx, x []float32) { rectifyBackAVX2(first(dx), first(x), len(x)/Lanes) },
			dots:        func(z, a, b []float32) { dotsAVX2(first(z), first(a), first(b), len(a)/Lanes, len(z)/Lanes) },
			mulRows:     func(y, a, x []float32) { mulRowsAVX2(first(y), first(a), first(x), len(y)/Lanes) },
			maxAbs:      func(top []uint32, x []float32) { maxAbsAVX2(first(top), first(x), len(x)/Lanes) },
			addOdd:      addOddQuads,
			axpy:        blocks(axpyAVX2),
		})
	}
	if cpu.X86.HasAVX512F {
		all = append(all, implementation{
			name: "AVX-512",
			rows: 8, linearTile: linear(linearTileAVX512), linearRow: linear(linearRowAVX512),
			outputs: 8, inputs: 24, productsTile: products(productsTileAVX512),
			sumsTile: func(s, y []float64, terms int) { sumsTileAVX512(first(s), first(y), terms) },
			pack:     packs(packAVX2), packOdd: packs(packOddAVX2),
			rectify:     func(x []float32) { rectifyAVX512(first(x), len(x)/Lanes) },
			rectifyBack: func(dx, x []float32) { rectifyBackAVX512(first(dx), first(x), len(x)/Lanes) },
			dots:        func(z, a, b []float32) { dotsAVX512(first(z), first(a), first(b), len(a)/Lanes, len(z)/Lanes) },
			mulRows:     func(y, a, x []float32) { mulRowsAVX512(first(y), first(a), first(x), len(y)/Lanes) },
			maxAbs:      func(top []uint32, x []float32) { maxAbsAVX512(first(top), first(x), len(x)/Lanes) },
			addOdd:      addOddQuads,
			axpy:        blocks(axpyAVX512),
		})
	}
	return all
}

// first returns a pointer to the first element of a slice. The pointer of an empty slice is never
// dereferenced.
func first[T any](s []T) *T { return unsafe.SliceData(s) }

const (
	float32Bytes = 4
	float64Bytes = 8
)

func linear(tile func(y, init, w, x *float32, initStep, rowStep, termStep, terms int)) func(y, init, w, x []float32, initStep, rowStep, termStep, terms int) {
	return func(y, init, w, x []float32, initStep, rowStep, termStep, terms int) {
		tile(first(y), first(init), first(w), first(x), initStep*float32Bytes, rowStep*float32Bytes, termStep*float32Bytes, terms)
	}
}

func products(tile func(s, y, x *float64, rowStep, terms int)) func(s, y, x []float64, step, terms int) {
	return func(s, y, x []float64, step, terms int) {
		tile(first(s), first(y), first(x), step*float64Bytes, terms)
	}
}

func packs(loop func(dst *float64, x *float32, step, quads int)) func(dst []float64, x []float32, step, lanes int) {
	return func(dst []float64, x []float32, step, lanes int) {
		loop(first(dst), first(x), step*float64Bytes, lanes/packLanes)
	}
}

// addOddQuads processes whole quads of 4 values with vectors, and the rest in Go.
func addOddQuads(s []float64, x []float32) {
	x = x[:len(s)]
	n := len(s) / 4
	addOddAVX2(first(s), first(x), n)
	addOdd(s[4*n:], x[4*n:])
}

// blocks processes whole blocks of 16 values with loop, and the rest in Go.
func blocks(loop func(y, x *float32, a float32, blocks int)) func(y []float32, a float32, x []float32) {
	return func(y []float32, a float32, x []float32) {
		x = x[:len(y)]
		n := len(y) / 16
		loop(first(y), first(x), a, n)
		axpy(y[16*n:], a, x[16*n:])
	}
}
