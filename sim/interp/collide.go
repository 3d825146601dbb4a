package interp

import (
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/sim/bv"
)

// DontCare randomizes the words that registers read where a memory may return any word
// (hw.AnyWord), so a design that depends on one of them fails. Other engines return the old word.
// With DontCare, the interpreter agrees with them only if the design does not depend on the word.
func DontCare(seed uint64) Option {
	return func(o *options) { o.noise = rand.New(rand.NewPCG(seed, 0)) }
}

// heldWrite is a deferred write to a memory with colliding reads.
type heldWrite struct {
	m     *memory
	index int
	data  []uint64
}

// collide replaces words that are read while being written by random words, in memories that allow
// it, until forget. It first captures the written words, because a masked write derives them from
// the memory's contents.
func (s *Sim) collide() {
	if s.noise == nil {
		return
	}
	for i := range s.mems {
		if m := &s.mems[i]; m.any {
			for _, w := range m.writes {
				index, ok := bv.Index(s.vals[w.addr:][:w.addrWords], m.depth)
				if ok && s.vals[w.enable] == 1 {
					s.held = append(s.held, heldWrite{m, index, slices.Clone(s.vals[w.data:][:m.size])})
				}
			}
			s.disturb(m)
		}
	}
	s.settle()
}

// disturb randomizes the reads of words of m that are being written.
func (s *Sim) disturb(m *memory) {
	for _, r := range m.readers {
		if at, ok := bv.Index(s.vals[r.addr:][:r.addrWords], m.depth); ok && s.writesTo(m, at) {
			x := s.net(r.out)
			for k := range x {
				x[k] = s.noise.Uint64()
			}
			bv.Mask(x, m.width)
			s.markAll(s.fans[r.out])
			s.collided = append(s.collided, r.op)
		}
	}
}

// writeHeld performs the writes that collide deferred.
func (s *Sim) writeHeld() {
	for _, w := range s.held {
		s.store(w.m, w.index, w.data)
	}
	s.held = s.held[:0]
}

// writesTo reports whether a word is being written.
func (s *Sim) writesTo(m *memory, word int) bool {
	for _, w := range m.writes {
		if at, ok := bv.Index(s.vals[w.addr:][:w.addrWords], m.depth); ok && at == word && s.vals[w.enable] == 1 {
			return true
		}
	}
	return false
}

// forget makes the colliding reads pending again.
func (s *Sim) forget() {
	for _, op := range s.collided {
		s.pending.addOne(int(op))
		s.dirty = true
	}
	s.collided = s.collided[:0]
}
