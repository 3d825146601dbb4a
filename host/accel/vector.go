package accel

import (
	"encoding/binary"
	"math"
)

// quietNaN is what every operation that has no number as its result gives.
const quietNaN = 0x7fc00000

func bitsOf(f float32) uint32 {
	if f != f {
		return quietNaN
	}
	return math.Float32bits(f)
}

// vector is the embedding vector buffer: a row of FP32 values in memory order.
type vector []byte

func (v vector) load(row []byte) { copy(v, row) }

// add is v_add: v + row, element by element.
func (v vector) add(row []byte) {
	le := binary.LittleEndian
	for i := 0; i < len(v); i += 4 {
		sum := math.Float32frombits(le.Uint32(v[i:])) + math.Float32frombits(le.Uint32(row[i:]))
		le.PutUint32(v[i:], bitsOf(sum))
	}
}

// mul is v_mul: row times a scalar.
func (v vector) mul(row []byte, scalar float32) {
	le := binary.LittleEndian
	for i := 0; i < len(v); i += 4 {
		product := math.Float32frombits(le.Uint32(row[i:])) * scalar
		le.PutUint32(v[i:], bitsOf(product))
	}
}
