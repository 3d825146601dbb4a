package node

import (
	"fmt"
	"slices"
)

// PageSize is the unit in which a [Memory] is allocated.
const PageSize = 4096

type page [PageSize]byte

// Memory is a byte-addressable memory of which only the touched pages exist.
// Pages that were never written read as zero, or as what [Memory.OnFirstTouch]
// puts there.
type Memory struct {
	name  string
	size  uint64
	pages map[uint64]*page
	fill  func(addr uint64, p []byte)

	lastNo uint64 // the page of the previous access, a cache of one
	last   *page

	scratch [1024]byte // staging for typed values
}

// NewMemory makes a memory of size bytes, addresses 0 to size-1. The name
// appears in errors.
func NewMemory(name string, size uint64) *Memory {
	return &Memory{name: name, size: size, pages: make(map[uint64]*page)}
}

// OnFirstTouch lets fill set the contents of a page when it is first read or
// written, so that a table far larger than the simulating machine exists only
// where it is used. fill gets the page's address and its zeroed bytes; it must
// not depend on the order of calls.
func (m *Memory) OnFirstTouch(fill func(addr uint64, p []byte)) { m.fill = fill }

// Size is the size in bytes.
func (m *Memory) Size() uint64 { return m.size }

// Touched is the number of bytes that have been allocated.
func (m *Memory) Touched() uint64 { return uint64(len(m.pages)) * PageSize }

// TouchedPages lists the addresses of the allocated pages that lie between first
// and end, in order.
func (m *Memory) TouchedPages(first, end uint64) []uint64 {
	var list []uint64
	for no := range m.pages {
		if at := no * PageSize; at >= first && at < end {
			list = append(list, at)
		}
	}
	slices.Sort(list)
	return list
}

// Read fills p with the bytes at addr. The error is that the range does not
// lie in the memory; p is then unchanged.
func (m *Memory) Read(addr uint64, p []byte) error {
	if err := m.check("read", addr, len(p)); err != nil {
		return err
	}
	for len(p) > 0 {
		off := int(addr % PageSize)
		n := min(len(p), PageSize-off)
		if pg := m.page(addr/PageSize, m.fill != nil); pg != nil {
			copy(p[:n], pg[off:])
		} else {
			clear(p[:n])
		}
		p, addr = p[n:], addr+uint64(n)
	}
	return nil
}

// Write stores p at addr. The error is that the range does not lie in the
// memory; nothing is then written.
func (m *Memory) Write(addr uint64, p []byte) error {
	if err := m.check("write", addr, len(p)); err != nil {
		return err
	}
	for len(p) > 0 {
		n := min(len(p), PageSize-int(addr%PageSize))
		if pg := m.page(addr/PageSize, m.fill != nil || !zeros(p[:n])); pg != nil {
			copy(pg[addr%PageSize:], p[:n])
		}
		p, addr = p[n:], addr+uint64(n)
	}
	return nil
}

// zeros tells whether all bytes are zero. Those of a page that does not exist
// need none.
func zeros(p []byte) bool {
	for _, b := range p {
		if b != 0 {
			return false
		}
	}
	return true
}

func (m *Memory) check(op string, addr uint64, n int) error {
	if addr > m.size || uint64(n) > m.size-addr {
		return fmt.Errorf("node: memory %s: %s of %d bytes at %#x: the memory ends at %#x", m.name, op, n, addr, m.size)
	}
	return nil
}

// page finds page no, or makes it when create is set.
func (m *Memory) page(no uint64, create bool) *page {
	if m.last != nil && m.lastNo == no {
		return m.last
	}
	pg := m.pages[no]
	if pg == nil {
		if !create {
			return nil
		}
		pg = new(page)
		m.pages[no] = pg
		if m.fill != nil {
			m.fill(no*PageSize, pg[:])
		}
	}
	m.lastNo, m.last = no, pg
	return pg
}
