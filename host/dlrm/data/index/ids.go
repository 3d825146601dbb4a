package index

import "math/bits"

// IDs is a set of the distinct ids of a column, numbered in insertion order. It uses a hash table
// with 8 bytes per slot that is between 3/8 and 3/4 full, and 4 bytes per id. The zero value is
// empty.
type IDs struct {
	slots   []slot
	shift   int
	list    []uint32 // in insertion order; the entry of Missing is 0
	missing int      // 1 + the number of Missing, or 0
}

// slot is free if next is 0.
type slot struct {
	id   uint32
	next uint32 // 1 + the number of the id
}

// Len returns the number of ids.
func (s *IDs) Len() int { return len(s.list) }

// ID returns id number n.
func (s *IDs) ID(n uint32) uint64 {
	if int(n)+1 == s.missing {
		return Missing
	}
	return uint64(s.list[n])
}

// Row returns the number of an id, and whether the id is in the set.
func (s *IDs) Row(id uint64) (uint32, bool) {
	if id == Missing {
		return uint32(max(0, s.missing-1)), s.missing > 0
	}
	if len(s.slots) == 0 {
		return 0, false
	}
	at := s.find(uint32(id))
	return max(at.next, 1) - 1, at.next > 0
}

// Add adds an id unless it is in the set, and returns its number.
func (s *IDs) Add(id uint64) uint32 {
	if id == Missing {
		if s.missing == 0 {
			s.list = append(s.list, 0)
			s.missing = len(s.list)
		}
		return uint32(s.missing - 1)
	}
	if 4*len(s.list) >= 3*len(s.slots) {
		s.grow()
	}
	at := s.find(uint32(id))
	if at.next == 0 {
		s.list = append(s.list, uint32(id))
		*at = slot{uint32(id), uint32(len(s.list))}
	}
	return at.next - 1
}

// find returns the slot of an id, or the free slot for it.
func (s *IDs) find(id uint32) *slot {
	for i := id * 0x9e3779b1 >> s.shift; ; i++ {
		at := &s.slots[int(i)&(len(s.slots)-1)]
		if at.next == 0 || at.id == id {
			return at
		}
	}
}

func (s *IDs) grow() {
	old := s.slots
	s.slots = make([]slot, max(16, 2*len(old)))
	s.shift = 32 - bits.Len(uint(len(s.slots)-1))
	for _, o := range old {
		if o.next > 0 {
			*s.find(o.id) = o
		}
	}
}
