package dma

import "encoding/binary"

const pageBytes = 4096

// Pages is a sparse Memory that covers the whole address space. Bytes that were not written are 0.
type Pages map[uint64]*[pageBytes]byte

// ReadAt copies the bytes at addr into p.
func (m Pages) ReadAt(addr uint64, p []byte) {
	for len(p) > 0 {
		n := min(len(p), int(pageBytes-addr%pageBytes))
		if page := m[addr/pageBytes]; page != nil {
			copy(p[:n], page[addr%pageBytes:])
		} else {
			clear(p[:n])
		}
		p, addr = p[n:], addr+uint64(n)
	}
}

// WriteAt copies p to addr.
func (m Pages) WriteAt(addr uint64, p []byte) {
	for len(p) > 0 {
		page := m[addr/pageBytes]
		if page == nil {
			page = new([pageBytes]byte)
			m[addr/pageBytes] = page
		}
		n := copy(page[addr%pageBytes:], p)
		p, addr = p[n:], addr+uint64(n)
	}
}

// WordsOf returns p as little-endian words. Its length must be a multiple of 8 bytes.
func WordsOf(p []byte) []uint64 {
	out := make([]uint64, len(p)/8)
	for i := range out {
		out[i] = binary.LittleEndian.Uint64(p[8*i:])
	}
	return out
}

// BytesOf returns the bytes of little-endian words. It inverts WordsOf.
func BytesOf(w []uint64) []byte {
	p := make([]byte, 0, 8*len(w))
	for _, x := range w {
		p = binary.LittleEndian.AppendUint64(p, x)
	}
	return p
}
