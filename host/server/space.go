package server

import (
	"fmt"
	"slices"
	"sort"

	"github.com/hotline-rtl/hotline/host/node"
)

// Space hands out the bytes of a memory, never to take them back. It goes on when
// there are none left, so that Server.Fits can tell all that does not fit.
type Space struct {
	name    string
	mem     *node.Memory
	base    uint64 // bus address of the memory's first byte
	start   uint64 // first byte that is handed out
	next    uint64 // first free byte
	parts   []Part // what was taken
	filled  []*Region
	hasFill bool
	zeros   bool // nothing is filled
}

// newSpace hands out mem from offset start on. With zeros, regions that are to be
// filled are not.
func newSpace(name string, mem *node.Memory, base, start uint64, zeros bool) *Space {
	return &Space{name: name, mem: mem, base: base, start: start, next: start, zeros: zeros}
}

// Memory is the memory behind the space.
func (s *Space) Memory() *node.Memory { return s.mem }

// Reserve takes size bytes, from the start of a page on, for what is not simulated
// in memory but takes place there. Those of one name are a part of what is needed.
func (s *Space) Reserve(name string, size int) {
	pages := (uint64(size) + node.PageSize - 1) / node.PageSize * node.PageSize
	s.next += pages
	i := slices.IndexFunc(s.parts, func(p Part) bool { return p.What == name })
	if i < 0 {
		i = len(s.parts)
		s.parts = append(s.parts, Part{What: name})
	}
	s.parts[i].Bytes += pages
}

// Alloc reserves a region of size bytes, at least one. An access to what does not
// fit is an error.
func (s *Space) Alloc(name string, size int) *Region {
	if size < 1 {
		panic(fmt.Sprintf("server: region %s of %d bytes", name, size))
	}
	r := &Region{space: s, name: name, at: s.next, size: size}
	s.Reserve(name, size)
	return r
}

// AllocFilled is Alloc for a region whose pages are written by fill when they
// are first touched. fill gets the offset of a page within the region and its
// bytes, those behind the region's end included; it must not depend on the
// order of calls. On a machine without values the region holds zeros.
func (s *Space) AllocFilled(name string, size int, fill func(offset int, p []byte)) *Region {
	r := s.Alloc(name, size)
	if s.zeros {
		return r
	}
	r.fill = fill
	s.filled = append(s.filled, r)
	if !s.hasFill {
		s.hasFill = true
		s.mem.OnFirstTouch(s.touch)
	}
	return r
}

// touch fills a page of a region that wants it; they are in order of address.
func (s *Space) touch(addr uint64, p []byte) {
	i := sort.Search(len(s.filled), func(i int) bool { return s.filled[i].at > addr }) - 1
	if i >= 0 && addr-s.filled[i].at < uint64(s.filled[i].size) {
		s.filled[i].fill(int(addr-s.filled[i].at), p)
	}
}

// Region is a piece of a memory. It is a driver.DMA.
type Region struct {
	space *Space
	name  string
	at    uint64
	size  int
	fill  func(offset int, p []byte)
}

// Address is the bus address of the first byte.
func (r *Region) Address() uint64 { return r.space.base + r.at }

// Size is the size in bytes.
func (r *Region) Size() int { return r.size }

// TouchedPages lists the offsets of the region's pages that have been touched, in
// order.
func (r *Region) TouchedPages() []int {
	var list []int
	for _, at := range r.space.mem.TouchedPages(r.at, r.at+uint64(r.size)) {
		list = append(list, int(at-r.at))
	}
	return list
}

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
