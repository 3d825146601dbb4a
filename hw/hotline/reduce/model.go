package reduce

import (
	"encoding/binary"
	"math"

	"github.com/hotline-rtl/hotline/hw/lib/fp32"
)

// Operation is an op in plain Go.
type Operation struct {
	Kind        Kind
	Load        bool
	Write, Next bool
	Scalar      float32
	Addr        uint64
}

// Vector is a vector that an op sends. Values are binary32 bits.
type Vector struct {
	Addr   uint64
	Values []uint32
}

// Bytes returns the values as they are stored in memory.
func (v Vector) Bytes() []byte {
	b := make([]byte, 0, 4*len(v.Values))
	for _, x := range v.Values {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

// Model is the reference of Reduce, without cycles. An add to a vector that was not loaded uses the
// old content of the buffer.
type Model struct {
	ring     []uint32 // values as binary32 bits
	base, at int      // offsets of the first vector that was not sent, and of the current vector
}

// NewModel returns a model with a buffer of zeros. values, the number of values of the buffer, must
// be a power of two.
func NewModel(values int) *Model { return &Model{ring: make([]uint32, values)} }

// Do executes an op on a vector of the given number of values. It consumes a row unless the op is
// Keep. It reports whether the vector is sent; a muted reducer sends none.
func (m *Model) Do(op Operation, values int, row []uint32, muted bool) (v Vector, sent bool) {
	if op.Kind != Keep {
		m.accumulate(op, row)
	}
	if op.Write && !muted {
		v, sent = Vector{Addr: op.Addr, Values: make([]uint32, values)}, true
		for i := range v.Values {
			v.Values[i] = *m.value(i)
		}
		m.base = (m.base + values) % len(m.ring)
	}
	if op.Next {
		m.at = (m.at + values) % len(m.ring)
	} else {
		m.at = m.base
	}
	return v, sent
}

// accumulate adds a row to the current vector, or replaces the vector.
func (m *Model) accumulate(op Operation, row []uint32) {
	for i, x := range row {
		v := m.value(i)
		switch {
		case op.Kind == Mul:
			*v = canonical(math.Float32frombits(x) * op.Scalar)
		case op.Load:
			*v = x
		default:
			*v = canonical(math.Float32frombits(*v) + math.Float32frombits(x))
		}
	}
}

// value returns a pointer to value i of the current vector.
func (m *Model) value(i int) *uint32 { return &m.ring[(m.at+i)&(len(m.ring)-1)] }

// canonical returns x as the arithmetic units represent it.
func canonical(x float32) uint32 {
	if x != x {
		return fp32.QuietNaN
	}
	return math.Float32bits(x)
}
