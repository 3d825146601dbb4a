package shell

import (
	"encoding/binary"
	"math/rand/v2"
)

const pageBytes = 4096

// Memory is the whole address space, of the host and of the GPUs. Unwritten locations contain
// random FP32 values.
type Memory struct {
	seed  uint64
	pages map[uint64]*[pageBytes]byte
}

func newMemory(seed uint64) *Memory { return &Memory{seed, map[uint64]*[pageBytes]byte{}} }

// Value returns a random FP32 value. Most values have exponents close to each other, so that sums
// are rounded. The others are arbitrary bit patterns and special values.
func Value(r *rand.Rand) uint32 {
	v := r.Uint32()
	switch r.IntN(32) {
	case 0:
		return v
	case 1:
		return v &^ 0x7F80_0000 // zero exponent
	case 2:
		return v | 0x7F80_0000 // NaN
	case 3:
		return v&0x8000_0000 | []uint32{0, 0x7F80_0000, 0x7F7F_FFFF, 0x0080_0000, 1}[r.IntN(5)]
	}
	return v&0x807F_FFFF | uint32(120+r.IntN(12))<<23
}

func (m *Memory) page(n uint64) *[pageBytes]byte {
	p := m.pages[n]
	if p == nil {
		p = new([pageBytes]byte)
		r := rand.New(rand.NewPCG(m.seed, n))
		for i := 0; i < pageBytes; i += 4 {
			binary.LittleEndian.PutUint32(p[i:], Value(r))
		}
		m.pages[n] = p
	}
	return p
}

// Read returns a copy of n bytes.
func (m *Memory) Read(addr uint64, n int) []byte {
	out := make([]byte, n)
	for at := 0; at < n; {
		a := addr + uint64(at)
		at += copy(out[at:], m.page(a / pageBytes)[a%pageBytes:])
	}
	return out
}

// Write stores b.
func (m *Memory) Write(addr uint64, b []byte) {
	for len(b) > 0 {
		n := copy(m.page(addr / pageBytes)[addr%pageBytes:], b)
		addr, b = addr+uint64(n), b[n:]
	}
}
