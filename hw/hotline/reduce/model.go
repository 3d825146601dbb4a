package reduce

import (
	"encoding/binary"
	"math"

	"github.com/hotline-rtl/hotline/hw/lib/fp32"
)

// Operation is an op as plain Go.
type Operation struct {
	Kind        Kind
	Load        bool
	Write, Next bool
	Scalar      float32
	Addr        uint64
}

// Vector is what an op that writes sends. Values are binary32 bits.
type Vector struct {
	Addr   uint64
	Values []uint32
}

// Bytes are the values in memory.
func (v Vector) Bytes() []byte {
	b := make([]byte, 0, 4*len(v.Values))
	for _, x := range v.Values {
		b = binary.LittleEndian.AppendUint32(b, x)
	}
	return b
}

// Model is what Reduce must compute, without cycles. A vector that is added to
// without being loaded first has what was left in its place of the buffer.
type Model struct {
	ring     []uint32 // values as binary32 bits
	base, at int      // of the first vector that is not sent, of the one at hand
}

// NewModel is a model with a buffer of zeros, of so many values, a power of two.
func NewModel(values int) *Model { return &Model{ring: make([]uint32, values)} }

// Do does an op on vectors of so many values, with the next row unless it keeps its
// vector. It tells whether that is sent, which a muted reducer does not.
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

// accumulate adds a row to the vector at hand, or puts another there.
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

// value is value i of the vector at hand.
func (m *Model) value(i int) *uint32 { return &m.ring[(m.at+i)&(len(m.ring)-1)] }

// canonical is x as the arithmetic units give it.
func canonical(x float32) uint32 {
	if x != x {
		return fp32.QuietNaN
	}
	return math.Float32bits(x)
}
