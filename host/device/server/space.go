package server

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
)

// Space allocates bytes of a memory and never frees them. It continues beyond the size of the
// memory, so that Server.Fits can report the total need.
type Space struct {
	name  string
	mem   *des.Memory
	base  uint64 // bus address of the memory's first byte
	start uint64 // first byte available for allocation
	next  uint64 // first free byte
	parts []Part // allocations by name
	zeros bool   // rows are not filled
	place func(addr uint64, n int) ([]byte, error)
	err   error // first error of place

	number   int // for the observer
	observer Observer
	regions  []*Region // by address
}

// newSpace returns a numbered Space over mem from offset start on, as configured by the machine.
func newSpace(name string, number int, mem *des.Memory, base, start uint64, cfg Config) *Space {
	return &Space{name: name, number: number, mem: mem, base: base, start: start, next: start, zeros: cfg.Valueless, place: cfg.Place}
}

// Memory returns the underlying memory.
func (s *Space) Memory() *des.Memory { return s.mem }

// alignment is the alignment of regions. No PCI Express request crosses a multiple of it.
const alignment = pcie.Boundary

// Reserve allocates size bytes, rounded up to 4 KiB, for data that is not stored in the simulated
// memory but occupies it. Allocations with equal names form one Part.
func (s *Space) Reserve(name string, size int) {
	taken := (uint64(size) + alignment - 1) / alignment * alignment
	s.next += taken
	i := slices.IndexFunc(s.parts, func(p Part) bool { return p.What == name })
	if i < 0 {
		i = len(s.parts)
		s.parts = append(s.parts, Part{What: name})
	}
	s.parts[i].Bytes += taken
}

// Alloc allocates a region of size bytes, at least one. Accesses beyond the end of the memory
// return an error.
func (s *Space) Alloc(name string, size int) *Region {
	r := s.region(name, size)
	if s.place != nil {
		s.put(s.mem.AddRows(r.at, 1, size, func(int, []byte) {}), r)
	}
	return r
}

func (s *Space) region(name string, size int) *Region {
	if size < 1 {
		panic(fmt.Sprintf("server: region %s of %d bytes", name, size))
	}
	r := &Region{space: s, name: name, at: s.next, size: size}
	s.Reserve(name, size)
	s.regions = append(s.regions, r)
	return r
}

// at returns the region that holds a bus address, or nil.
func (s *Space) at(addr uint64) *Region {
	i, ok := slices.BinarySearchFunc(s.regions, addr, func(r *Region, addr uint64) int { return cmp.Compare(r.Address(), addr) })
	if !ok {
		i--
	}
	if i < 0 || addr-s.regions[i].Address() >= uint64(s.regions[i].size) {
		return nil
	}
	return s.regions[i]
}

// put places the rows of a region where an external device can access them. It skips a region
// beyond the end of the memory, which is never used.
func (s *Space) put(rows *des.Rows, r *Region) {
	if s.err != nil || s.next > s.mem.Size() {
		return
	}
	b, err := s.place(r.Address(), r.size)
	if err != nil {
		s.err = fmt.Errorf("server: place of %s in %s: %w", r.name, s.name, err)
		return
	}
	rows.PutIn(b)
}

// AllocRows is like Alloc for a region of n rows of size bytes each. The rows are created on
// demand: fill writes a row when it is first touched, see [des.Memory.AddRows]. On a machine
// without values the rows hold zeros, and no row counts as touched. If Config.Place is set, all
// rows are filled immediately and count as touched.
func (s *Space) AllocRows(name string, n, size int, fill func(row int, p []byte)) *Region {
	if s.zeros {
		return s.Alloc(name, n*size)
	}
	r := s.region(name, n*size)
	r.rows = s.mem.AddRows(r.at, n, size, fill)
	if s.place != nil {
		s.put(r.rows, r)
	}
	return r
}

// Region is a part of a memory. It implements driver.DMA.
type Region struct {
	space *Space
	name  string
	at    uint64
	size  int
	rows  *des.Rows // set by AllocRows, except on a machine without values
}

// Address returns the bus address of the first byte.
func (r *Region) Address() uint64 { return r.space.base + r.at }

// Size returns the size in bytes.
func (r *Region) Size() int { return r.size }

// TouchedRows returns the indices of the touched rows in ascending order. It returns none if the
// region has no rows.
func (r *Region) TouchedRows() iter.Seq[int] {
	if r.rows == nil {
		return func(func(int) bool) {}
	}
	return r.rows.Touched()
}

// Read fills p from offset on. It returns an error if the access leaves the region.
func (r *Region) Read(offset int, p []byte) error {
	if err := r.check("read", offset, len(p)); err != nil {
		return err
	}
	return r.sawBytes(r.space.mem.Read(r.at+uint64(offset), p), false, offset, p)
}

// Write stores p from offset on. It returns the same errors as Read.
func (r *Region) Write(offset int, p []byte) error {
	if err := r.check("write", offset, len(p)); err != nil {
		return err
	}
	return r.sawBytes(r.space.mem.Write(r.at+uint64(offset), p), true, offset, p)
}

// ReadFloat32s fills v from offset on. It returns the same errors as Read.
func (r *Region) ReadFloat32s(offset int, v []float32) error {
	if err := r.check("read", offset, 4*len(v)); err != nil {
		return err
	}
	return r.sawFloats(r.space.mem.ReadFloat32s(r.at+uint64(offset), v), false, offset, v)
}

// WriteFloat32s stores v from offset on. It returns the same errors as Read.
func (r *Region) WriteFloat32s(offset int, v []float32) error {
	if err := r.check("write", offset, 4*len(v)); err != nil {
		return err
	}
	return r.sawFloats(r.space.mem.WriteFloat32s(r.at+uint64(offset), v), true, offset, v)
}

// ReadUint32s fills v from offset on. It returns the same errors as Read.
func (r *Region) ReadUint32s(offset int, v []uint32) error {
	if err := r.check("read", offset, 4*len(v)); err != nil {
		return err
	}
	return r.sawWords(r.space.mem.ReadUint32s(r.at+uint64(offset), v), false, offset, v)
}

// WriteUint32s stores v from offset on. It returns the same errors as Read.
func (r *Region) WriteUint32s(offset int, v []uint32) error {
	if err := r.check("write", offset, 4*len(v)); err != nil {
		return err
	}
	return r.sawWords(r.space.mem.WriteUint32s(r.at+uint64(offset), v), true, offset, v)
}

func (r *Region) check(op string, offset, n int) error {
	if offset < 0 || n > r.size-offset {
		return fmt.Errorf("server: %s: %s of %d bytes at %d of %s, which has %d", r.space.name, op, n, offset, r.name, r.size)
	}
	return nil
}
