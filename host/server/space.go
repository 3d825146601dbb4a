package server

import (
	"fmt"
	"iter"

	"github.com/hotline-rtl/hotline/host/node"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// Space hands out the bytes of a memory, never to take them back.
type Space struct {
	name string
	mem  *node.Memory
	base uint64 // bus address of the memory's first byte
	next uint64 // first free byte
}

// newSpace hands out mem from offset start on.
func newSpace(name string, mem *node.Memory, base, start uint64) *Space {
	return &Space{name: name, mem: mem, base: base, next: start}
}

// Memory is the memory behind the space.
func (s *Space) Memory() *node.Memory { return s.mem }

// alignment is that of regions: no request on PCI Express crosses a multiple of it.
const alignment = pcie.Boundary

// Alloc takes a region of size bytes, at least one, from a multiple of 4 KiB
// on. The name appears in errors. The error is that the memory is full.
func (s *Space) Alloc(name string, size int) (*Region, error) {
	if size < 1 {
		panic(fmt.Sprintf("server: region %s of %d bytes", name, size))
	}
	taken := (uint64(size) + alignment - 1) / alignment * alignment
	if free := s.mem.Size() - s.next; taken > free {
		return nil, fmt.Errorf("server: %s: %d bytes for %s, but only %d of %d are left", s.name, size, name, free, s.mem.Size())
	}
	r := &Region{space: s, name: name, at: s.next, size: size}
	s.next += taken
	return r, nil
}

// AllocRows is Alloc for a region of n rows of size bytes each, which exist one by
// one: fill writes a row when it is first touched, see [node.Memory.AddRows].
func (s *Space) AllocRows(name string, n, size int, fill func(row int, p []byte)) (*Region, error) {
	r, err := s.Alloc(name, n*size)
	if err != nil {
		return nil, err
	}
	r.rows = s.mem.AddRows(r.at, n, size, fill)
	return r, nil
}

// Region is a piece of a memory. It is a driver.DMA.
type Region struct {
	space *Space
	name  string
	at    uint64
	size  int
	rows  *node.Rows // of AllocRows
}

// Address is the bus address of the first byte.
func (r *Region) Address() uint64 { return r.space.base + r.at }

// Size is the size in bytes.
func (r *Region) Size() int { return r.size }

// TouchedRows are the numbers of the rows that have been touched, in order. The
// region is one of rows.
func (r *Region) TouchedRows() iter.Seq[int] { return r.rows.Touched() }

// Read fills p from offset on. The error is that it leaves the region.
func (r *Region) Read(offset int, p []byte) error {
	if err := r.check("read", offset, len(p)); err != nil {
		return err
	}
	return r.space.mem.Read(r.at+uint64(offset), p)
}

// Write stores p from offset on. Errors as for Read.
func (r *Region) Write(offset int, p []byte) error {
	if err := r.check("write", offset, len(p)); err != nil {
		return err
	}
	return r.space.mem.Write(r.at+uint64(offset), p)
}

// ReadFloat32s fills v from offset on. Errors as for Read.
func (r *Region) ReadFloat32s(offset int, v []float32) error {
	if err := r.check("read", offset, 4*len(v)); err != nil {
		return err
	}
	return r.space.mem.ReadFloat32s(r.at+uint64(offset), v)
}

// WriteFloat32s stores v from offset on. Errors as for Read.
func (r *Region) WriteFloat32s(offset int, v []float32) error {
	if err := r.check("write", offset, 4*len(v)); err != nil {
		return err
	}
	return r.space.mem.WriteFloat32s(r.at+uint64(offset), v)
}

// ReadUint32s fills v from offset on. Errors as for Read.
func (r *Region) ReadUint32s(offset int, v []uint32) error {
	if err := r.check("read", offset, 4*len(v)); err != nil {
		return err
	}
	return r.space.mem.ReadUint32s(r.at+uint64(offset), v)
}

// WriteUint32s stores v from offset on. Errors as for Read.
func (r *Region) WriteUint32s(offset int, v []uint32) error {
	if err := r.check("write", offset, 4*len(v)); err != nil {
		return err
	}
	return r.space.mem.WriteUint32s(r.at+uint64(offset), v)
}

func (r *Region) check(op string, offset, n int) error {
	if offset < 0 || n > r.size-offset {
		return fmt.Errorf("server: %s: %s of %d bytes at %d of %s, which has %d", r.space.name, op, n, offset, r.name, r.size)
	}
	return nil
}
