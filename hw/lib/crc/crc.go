package crc

import (
	"fmt"

	"github.com/hotline-rtl/hotline/hw"
)

// polynomial is the CRC-32C polynomial, bit-reversed because the checksum shifts right.
const polynomial = 0x82f63b78

// CRC32C computes the checksum of Bytes bytes.
type CRC32C struct {
	Bytes int `doc:"size of the data"`
}

// Ports are the data, first byte least significant, and the checksum in the same cycle.
type Ports struct {
	Data hw.Bits `hw:"in,Bits" doc:"first byte in the low bits"`
	Sum  hw.Bits `hw:"out,32" doc:"checksum, in the same cycle"`
}

// Bits returns the width of the data.
func (p CRC32C) Bits() int { return 8 * max(p.Bytes, 4) }

// Build describes the network.
func (p CRC32C) Build(m *hw.Module) Ports {
	m.Doc("CRC-32C of a word, combinational.")
	if p.Bytes < 4 {
		m.Errorf("%d bytes; expected at least 4", p.Bytes)
	}
	io := hw.Ports[Ports](m)
	io.Sum.Set(Update("crc", hw.Lit(32, 0xffffffff), io.Data).Not())
	return io
}

// Update returns the state of the checksum after data, which has at least 4 bytes, first byte
// least significant. The initial state is all ones; the checksum is the complement of the final
// state. The result bits become wires name0 to name31.
func Update(name string, state, data hw.Bits) hw.Bits {
	// The state is added to the first four bytes. From there on the function is linear, so each
	// bit of the new state is the parity of some input bits.
	first := data.Trunc(32).Xor(state)
	if data.Width() > 32 {
		first = hw.Cat(data.Slice(data.Width()-1, 32), first)
	}
	first = first.As(name + "_input")
	next := make([]hw.Bits, 32)
	for i, mask := range taps(data.Width()) {
		next[31-i] = first.And(hw.Wide(data.Width(), mask)).Parity().As(fmt.Sprint(name, i))
	}
	return hw.Cat(next...)
}

// taps returns a mask for each bit of the new state, as little-endian words. The bit is the parity
// of the input bits in its mask. The input has width bits.
func taps(width int) [32][]uint64 {
	var masks [32][]uint64
	for i := range masks {
		masks[i] = make([]uint64, (width+63)/64)
	}
	// The last input bit affects the state by one shift, the bit before it by one shift more.
	effect := uint32(1)
	for k := width - 1; k >= 0; k-- {
		effect = shift(effect)
		for i := range masks {
			masks[i][k/64] |= uint64(effect>>i&1) << (k % 64)
		}
	}
	return masks
}

func shift(state uint32) uint32 {
	if state&1 != 0 {
		return state>>1 ^ polynomial
	}
	return state >> 1
}
