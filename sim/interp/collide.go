package interp

import (
	"math/rand/v2"
	"slices"

	"github.com/hotline-rtl/hotline/sim/bv"
)

// DontCare has registers read random words where a memory may give any
// (hw.AnyWord), so that nothing can rely on one of them. Other engines read the old
// word: this one agrees with them only as far as the design does not care.
func DontCare(seed uint64) Option {
	return func(o *options) { o.noise = rand.New(rand.NewPCG(seed, 0)) }
}

// heldWrite is a write to a memory of which reads collide.
type heldWrite struct {
	m     *memory
	index int
	data  []uint64
}

// collide puts random words in place of those that are read while they are written,
// if that does not matter. They last until forget. What is written is fixed before: a
// mask makes it of what the memory holds.
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

// disturb makes the reads of words of m that are being written random.
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

// writeHeld does the writes that collide held.
func (s *Sim) writeHeld() {
	for _, w := range s.held {
		s.store(w.m, w.index, w.data)
	}
	s.held = s.held[:0]
}

// writesTo tells whether a word is being written.
func (s *Sim) writesTo(m *memory, word int) bool {
	for _, w := range m.writes {
		if at, ok := bv.Index(s.vals[w.addr:][:w.addrWords], m.depth); ok && at == word && s.vals[w.enable] == 1 {
			return true
		}
	}
	return false
}

// forget has the reads that collided evaluated again.
func (s *Sim) forget() {
	for _, op := range s.collided {
		s.pending.addOne(int(op))
		s.dirty = true
	}
	s.collided = s.collided[:0]
}
