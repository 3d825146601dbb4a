package des

import (
	"encoding/binary"
	"math"
)

// Values in memory are little-endian, as on the host and the GPUs.

// load passes the n bytes at addr to get. If they are in one page or row, it passes them in place.
// Otherwise, it passes successive parts with their offsets, each at most as large as the scratch
// buffer.
func (m *Memory) load(addr uint64, n int, get func(off int, b []byte)) error {
	if err := m.check("read", addr, n); err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	if b := m.part(addr); len(b) >= n {
		get(0, b[:n])
		return nil
	}
	for off := 0; off < n; off += len(m.scratch) {
		b := m.scratch[:min(len(m.scratch), n-off)]
		if err := m.Read(addr+uint64(off), b); err != nil {
			return err
		}
		get(off, b)
	}
	return nil
}

// store writes n bytes that put produces, in the same parts as load. If a page does not exist, it
// uses the scratch buffer.
func (m *Memory) store(addr uint64, n int, put func(off int, b []byte)) error {
	if err := m.check("write", addr, n); err != nil {
		return err
	}
	if n == 0 {
		return nil
	}
	if b := m.existing(addr); len(b) >= n {
		put(0, b[:n])
		return nil
	}
	for off := 0; off < n; off += len(m.scratch) {
		b := m.scratch[:min(len(m.scratch), n-off)]
		put(off, b)
		if err := m.Write(addr+uint64(off), b); err != nil {
			return err
		}
	}
	return nil
}

// ReadUint32s fills v from addr. It returns the errors of [Memory.Read].
func (m *Memory) ReadUint32s(addr uint64, v []uint32) error {
	return m.load(addr, 4*len(v), func(off int, b []byte) {
		for i := 0; i < len(b); i += 4 {
			v[(off+i)/4] = binary.LittleEndian.Uint32(b[i:])
		}
	})
}

// WriteUint32s stores v at addr. It returns the errors of [Memory.Write].
func (m *Memory) WriteUint32s(addr uint64, v []uint32) error {
	return m.store(addr, 4*len(v), func(off int, b []byte) {
		for i := 0; i < len(b); i += 4 {
			binary.LittleEndian.PutUint32(b[i:], v[(off+i)/4])
		}
	})
}

// ReadFloat32s fills v from addr. It returns the errors of [Memory.Read].
func (m *Memory) ReadFloat32s(addr uint64, v []float32) error {
	return m.load(addr, 4*len(v), func(off int, b []byte) {
		for part := v[off/4:]; len(b) >= 4; b, part = b[4:], part[1:] {
			part[0] = math.Float32frombits(binary.LittleEndian.Uint32(b))
		}
	})
}

// WriteFloat32s stores v at addr. It returns the errors of [Memory.Write].
func (m *Memory) WriteFloat32s(addr uint64, v []float32) error {
	return m.store(addr, 4*len(v), func(off int, b []byte) {
		for part := v[off/4:]; len(b) >= 4; b, part = b[4:], part[1:] {
			binary.LittleEndian.PutUint32(b, math.Float32bits(part[0]))
		}
	})
}

// ReadUint32 returns the value at addr. It returns the errors of [Memory.Read].
func (m *Memory) ReadUint32(addr uint64) (uint32, error) {
	var b [4]byte
	err := m.Read(addr, b[:])
	return binary.LittleEndian.Uint32(b[:]), err
}
