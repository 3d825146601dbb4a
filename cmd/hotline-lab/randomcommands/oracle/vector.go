package oracle

import (
	"encoding/binary"
	"math"
)

const canonicalNaN = 0x7FC0_0000

// vector is a row, or the contents of the embedding vector buffer, as FP32 bit patterns.
type vector []uint32

func vectorOf(b []byte) vector {
	v := make(vector, len(b)/4)
	for i := range v {
		v[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return v
}

func (v vector) bytes() []byte {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

func result(f float32) uint32 {
	if f != f {
		return canonicalNaN
	}
	return math.Float32bits(f)
}

func float(x uint32) float32 { return math.Float32frombits(x) }

// plus returns v + w, rounded.
func (v vector) plus(w vector) vector {
	out := make(vector, len(v))
	for i := range v {
		out[i] = result(float(v[i]) + float(w[i]))
	}
	return out
}

// times returns v · scalar, rounded.
func (v vector) times(scalar uint32) vector {
	out := make(vector, len(v))
	for i := range v {
		out[i] = result(float(v[i]) * float(scalar))
	}
	return out
}
