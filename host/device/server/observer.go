package server

import (
	"encoding/binary"
	"math"

	"github.com/hotline-rtl/hotline/host/des"
	"github.com/hotline-rtl/hotline/host/pcie"
	"github.com/hotline-rtl/hotline/host/pcie/link"
)

// Observer sees what processors read and write in the regions of a machine. Calls may be concurrent
// for different memories.
type Observer interface {
	// Read and Write report accesses of the CPU and the GPUs, each in its own memory. A value that a
	// processor reads in one memory and that appears in another memory has crossed a link.
	Read(a Access)
	Write(a Access)
	// Card reports an access of the card in the slot, without its content.
	Card(a Access, write bool)
}

// Access is an access to a memory.
type Access struct {
	Memory  int    // Host, or the number of a GPU
	Region  string // name of the region
	Addr    uint64 // in the memory
	Bytes   int
	Content uint64 // a hash of the values; 0 if all values are zero
	Floats  bool   // the values are float32
	Sent    bool   // a copy reads the values, not the processor of the memory
}

// Host is the number of host memory for an Observer.
const Host = -1

// Observe reports the accesses to all memories to an observer from now on. A nil observer ends the
// reports.
func (s *Server) Observe(o Observer) {
	s.observer = o
	for _, m := range s.spaces() {
		m.observer = o
	}
}

// Unobserved runs work that is not part of the observed run, such as a test of a model.
func (s *Server) Unobserved(work func() error) error {
	o := s.observer
	s.Observe(nil)
	defer s.Observe(o)
	return work()
}

// Observer returns the observer of a memory, or nil.
func (s *Space) Observer() Observer { return s.observer }

// Deliver is like WriteFloat32s for values that a collective delivers, and for values that no
// processor of the machine writes. The observer does not see it.
func (r *Region) Deliver(offset int, v []float32) error {
	if err := r.check("write", offset, 4*len(v)); err != nil {
		return err
	}
	return r.space.mem.WriteFloat32s(r.at+uint64(offset), v)
}

// Inspect is like ReadFloat32s for values that no processor of the machine reads, such as a check of
// the simulation. The observer does not see it.
func (r *Region) Inspect(offset int, v []float32) error {
	if err := r.check("read", offset, 4*len(v)); err != nil {
		return err
	}
	return r.space.mem.ReadFloat32s(r.at+uint64(offset), v)
}

// Send reads values for a copy to another memory.
func (r *Region) Send(offset int, v []float32) error {
	if err := r.Inspect(offset, v); err != nil {
		return err
	}
	if o := r.space.observer; o != nil {
		a := r.access(offset, len(v), func(i int) uint32 { return math.Float32bits(v[i]) })
		a.Sent = true
		o.Read(a)
	}
	return nil
}

// saw reports an access without error to the observer.
func (r *Region) saw(err error, write, floats bool, offset, words int, word func(i int) uint32) error {
	o := r.space.observer
	if o == nil || err != nil || words == 0 {
		return err
	}
	see := o.Read
	if write {
		see = o.Write
	}
	a := r.access(offset, words, word)
	a.Floats = floats
	see(a)
	return nil
}

func (r *Region) access(offset, words int, word func(i int) uint32) Access {
	return Access{Memory: r.space.number, Region: r.name, Addr: r.at + uint64(offset), Bytes: 4 * words, Content: hash(words, word)}
}

func (r *Region) sawFloats(err error, write bool, offset int, v []float32) error {
	return r.saw(err, write, true, offset, len(v), func(i int) uint32 { return math.Float32bits(v[i]) })
}

func (r *Region) sawWords(err error, write bool, offset int, v []uint32) error {
	return r.saw(err, write, false, offset, len(v), func(i int) uint32 { return v[i] })
}

func (r *Region) sawBytes(err error, write bool, offset int, p []byte) error {
	return r.saw(err, write, false, offset, len(p)/4, func(i int) uint32 { return binary.LittleEndian.Uint32(p[4*i:]) })
}

// sawCard reports a request of the card in the slot for a region to the observer.
func (s *Server) sawCard(dir link.Direction, _ des.Time, t *pcie.TLP) {
	if s.observer == nil || dir != link.Up || t.Kind != pcie.MRd && t.Kind != pcie.MWr {
		return
	}
	for _, m := range s.spaces() {
		if r := m.at(t.Addr); r != nil {
			s.observer.Card(Access{Memory: m.number, Region: r.name, Addr: t.Addr - m.base, Bytes: 4 * t.Length}, t.Kind == pcie.MWr)
			return
		}
	}
}

// hash computes FNV-1a over words, mixed after each word because words are wider than bytes. It returns 0
// if all words are zero.
func hash(words int, word func(i int) uint32) uint64 {
	h, any := uint64(14695981039346656037), uint32(0)
	for i := range words {
		any |= word(i)
		h = (h ^ uint64(word(i))) * 1099511628211
		h ^= h >> 29
	}
	if any == 0 {
		return 0
	}
	return h
}
