package safetensors

import (
	"encoding/binary"
	"io"
	"iter"
	"math"
	"slices"
)

// Tensor is an array to write.
type Tensor struct {
	name  string
	dtype string
	shape []int // row-major
	write func(io.Writer) error
}

// Types of numbers, by their names in the format.
const (
	typeF32 = "F32"
	typeI64 = "I64"
)

// sizes are the sizes of numbers in bytes.
var sizes = map[string]int{typeF32: 4, typeI64: 8}

// F32 returns an array of numbers in memory.
func F32(name string, shape []int, values []float32) Tensor {
	return F32Rows(name, shape, slices.Values([][]float32{values}))
}

// F32Rows returns an array whose numbers are generated during writing, in pieces of any size. Each
// piece is used only until the next.
func F32Rows(name string, shape []int, rows iter.Seq[[]float32]) Tensor {
	return Tensor{name, typeF32, shape, func(w io.Writer) error {
		var buf []byte
		for row := range rows {
			buf = buf[:0]
			for _, v := range row {
				buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
			}
			if _, err := w.Write(buf); err != nil {
				return err
			}
		}
		return nil
	}}
}

// I64 returns an array of indices. They are written as signed 64-bit numbers, which every library
// accepts as indices.
func I64(name string, shape []int, values []uint32) Tensor {
	return I64Rows(name, shape, slices.Values([][]uint32{values}))
}

// I64Rows returns an array of indices that are generated during writing, like F32Rows.
func I64Rows(name string, shape []int, rows iter.Seq[[]uint32]) Tensor {
	return Tensor{name, typeI64, shape, func(w io.Writer) error {
		var buf [8]byte
		for row := range rows {
			for _, v := range row {
				binary.LittleEndian.PutUint64(buf[:], uint64(v))
				if _, err := w.Write(buf[:]); err != nil {
					return err
				}
			}
		}
		return nil
	}}
}

// sizeOf returns the length of an array in bytes. It returns -1 if the type or the shape is
// invalid, or if the length exceeds the maximum of a file.
func sizeOf(dtype string, shape []int) int64 {
	n := int64(sizes[dtype])
	if n == 0 {
		return -1
	}
	for _, width := range shape {
		if width < 0 || width > 0 && n > math.MaxInt64/int64(width) {
			return -1
		}
		n *= int64(width)
	}
	return n
}
