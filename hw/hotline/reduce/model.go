package reduce

import (
	"encoding/binary"
	"math"

	"github.com/hotline-rtl/hotline/hw/lib/fp32"
)

// Operation is an op as plain Go.
type Operation struct {
	Kind   Kind
	Load   bool
	Scalar float32
	Addr   uint64
}

// Vector is what a Write op sends. Values are binary32 bits.
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
	ring []uint32 // values as binary32 bits
	base int      // of the vector at hand
}

// NewModel is a model with a buffer of zeros, of so many values, a power of two.
func NewModel(values int) *Model { return &Model{ring: make([]uint32, values)} }

// Accumulate does an Add or a Mul with the values of the next row.
func (m *Model) Accumulate(op Operation, row []uint32) {
	for i, x := range row {
		v := m.at(i)
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

// Write does a Write op for vectors of as many values as it is given room for. A
// muted Write does nothing and must not be given to the model.
func (m *Model) Write(op Operation, values []uint32) Vector {
	for i := range values {
		values[i] = *m.at(i)
	}
	m.base = (m.base + len(values)) % len(m.ring)
	return Vector{Addr: op.Addr, Values: values}
}

// at is value i of the vector at hand.
func (m *Model) at(i int) *uint32 { return &m.ring[(m.base+i)&(len(m.ring)-1)] }

// canonical is x as the arithmetic units give it.
func canonical(x float32) uint32 {
	if x != x {
		return fp32.QuietNaN
	}
	return math.Float32bits(x)
}
