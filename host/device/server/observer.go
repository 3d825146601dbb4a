package server

import (
	"encoding/binary"
	"math"
)

// Observer sees what the CPU and the GPUs read and write in the regions of a machine, each in its
// own memory. A value that a processor reads in one memory and that appears in another memory has
// crossed a link. Accesses of the card in the slot are TLPs, which an Observer does not see.
//
// A memory is Host or the number of a GPU. Content is a hash of the values, or 0 if all values are
// zero. Calls may be concurrent for different memories.
type Observer interface {
	Read(memory int, addr uint64, bytes int, content uint64)
	Write(memory int, addr uint64, bytes int, content uint64)
}

// Host is the number of host memory for an Observer.
const Host = -1

// Observe reports the accesses to all memories to an observer from now on.
func (s *Server) Observe(o Observer) {
	for _, m := range s.spaces() {
		m.observer = o
	}
}

// Observer returns the observer of a memory, or nil.
func (s *Space) Observer() Observer { return s.observer }

// Number returns the number of a memory for an Observer.
func (s *Space) Number() int { return s.number }

// Deliver is like WriteFloat32s for values that a collective delivers. The observer does not see
// it, because the collective is counted as a whole.
func (r *Region) Deliver(offset int, v []float32) error {
	if err := r.check("write", offset, 4*len(v)); err != nil {
		return err
	}
	return r.space.mem.WriteFloat32s(r.at+uint64(offset), v)
}

// saw reports an access without error to the observer.
func (r *Region) saw(err error, write bool, offset, words int, word func(i int) uint32) error {
	o := r.space.observer
	if o == nil || err != nil || words == 0 {
		return err
	}
	see := o.Read
	if write {
		see = o.Write
	}
	see(r.space.number, r.at+uint64(offset), 4*words, hash(words, word))
	return nil
}

func (r *Region) sawFloats(err error, write bool, offset int, v []float32) error {
	return r.saw(err, write, offset, len(v), func(i int) uint32 { return math.Float32bits(v[i]) })
}

func (r *Region) sawWords(err error, write bool, offset int, v []uint32) error {
	return r.saw(err, write, offset, len(v), func(i int) uint32 { return v[i] })
}

func (r *Region) sawBytes(err error, write bool, offset int, p []byte) error {
	return r.saw(err, write, offset, len(p)/4, func(i int) uint32 { return binary.LittleEndian.Uint32(p[4*i:]) })
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
