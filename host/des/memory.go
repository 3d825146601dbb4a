package des

import (
	"fmt"
	"sort"
)

// pageSize is the allocation unit of a [Memory] in bytes. It is large enough that the directories
// of gigabytes fit in a processor's cache.
const pageSize = 64 << 10

type page [pageSize]byte

// zeros is the content of a page that was never written.
var zeros page

// directory contains the pages of an address range.
type directory [512]*page

// Memory is a sparse byte-addressable memory. It allocates only pages that were written, and rows
// (see [Memory.AddRows]) that were read or written. Pages that were never written read as zero.
type Memory struct {
	name        string
	size        uint64
	directories []*directory // up to the last written directory
	pages       uint64       // number of allocated pages
	rows        []*Rows      // in order of address

	scratch [1024]byte // staging buffer for typed values
}

// NewMemory returns a memory of size bytes with addresses 0 to size-1. The name appears in errors.
func NewMemory(name string, size uint64) *Memory { return &Memory{name: name, size: size} }

// Size returns the size in bytes.
func (m *Memory) Size() uint64 { return m.size }

// Touched returns the number of allocated bytes.
func (m *Memory) Touched() uint64 {
	n := m.pages * pageSize
	for _, r := range m.rows {
		n += r.touched * uint64(r.size)
	}
	return n
}

// Read fills p with the bytes at addr. If the range exceeds the memory, it returns an error and
// leaves p unchanged.
func (m *Memory) Read(addr uint64, p []byte) error {
	if err := m.check("read", addr, len(p)); err != nil {
		return err
	}
	for len(p) > 0 {
		n := copy(p, m.part(addr))
		p, addr = p[n:], addr+uint64(n)
	}
	return nil
}

// Write stores p at addr. If the range exceeds the memory, it returns an error and writes nothing.
func (m *Memory) Write(addr uint64, p []byte) error {
	if err := m.check("write", addr, len(p)); err != nil {
		return err
	}
	for len(p) > 0 {
		n := m.put(addr, p)
		p, addr = p[n:], addr+uint64(n)
	}
	return nil
}

// put stores the part of p that fits into the page or row at addr and returns its size. Zeros
// allocate no page.
func (m *Memory) put(addr uint64, p []byte) int {
	if b := m.existing(addr); b != nil {
		return copy(b, p)
	}
	n := min(len(p), pageSize-int(addr%pageSize))
	if !allZero(p[:n]) {
		copy(m.makePage(addr / pageSize)[addr%pageSize:], p)
	}
	return n
}

func allZero(p []byte) bool {
	for _, b := range p {
		if b != 0 {
			return false
		}
	}
	return true
}

func (m *Memory) check(op string, addr uint64, n int) error {
	if addr > m.size || uint64(n) > m.size-addr {
		return fmt.Errorf("des: memory %s: %s of %d bytes at %#x: the memory ends at %#x", m.name, op, n, addr, m.size)
	}
	return nil
}

// part returns the bytes from addr to the end of their page or row, for reading only.
func (m *Memory) part(addr uint64) []byte {
	if b := m.existing(addr); b != nil {
		return b
	}
	return zeros[addr%pageSize:]
}

// existing returns the bytes from addr to the end of their page or row, or nil if the page is not
// allocated.
func (m *Memory) existing(addr uint64) []byte {
	if r := m.rowsAt(addr); r != nil {
		return r.part(addr - r.first)
	}
	const n = uint64(len(directory{}))
	no := addr / pageSize
	if no/n >= uint64(len(m.directories)) {
		return nil
	}
	if d := m.directories[no/n]; d != nil && d[no%n] != nil {
		return d[no%n][addr%pageSize:]
	}
	return nil
}

// rowsAt returns the rows that contain addr, or nil.
func (m *Memory) rowsAt(addr uint64) *Rows {
	i := sort.Search(len(m.rows), func(i int) bool { return m.rows[i].first > addr })
	if i == 0 || addr-m.rows[i-1].first >= m.rows[i-1].bytes {
		return nil
	}
	return m.rows[i-1]
}

// makePage allocates page no, which must not exist.
func (m *Memory) makePage(no uint64) *page {
	const n = uint64(len(directory{}))
	for no/n >= uint64(len(m.directories)) {
		m.directories = append(m.directories, nil)
	}
	d := &m.directories[no/n]
	if *d == nil {
		*d = new(directory)
	}
	m.pages++
	(*d)[no%n] = new(page)
	return (*d)[no%n]
}
