package lookup

import "github.com/hotline-rtl/hotline/hw/hotline/arch"

// CacheModel is what an engine's cache holds, without cycles and without the answers
// themselves: which ways of a set have an id, and which way an answer goes to.
type CacheModel struct{ sets []cacheSet }

// cacheSet is a set. Bit w of live and sticky is way w's.
type cacheSet struct {
	ids          [cacheWays]uint32
	live, sticky uint8
	turn         uint8 // the way that the next answer goes to
}

// NewCacheModel is an empty cache.
func NewCacheModel(p arch.Params) CacheModel {
	return CacheModel{make([]cacheSet, sizesOf(p).CacheSets())}
}

// Clear forgets everything.
func (c *CacheModel) Clear() { clear(c.sets) }

// Find gives the ways of a set that have an id, a bit each.
func (c *CacheModel) Find(set int, id uint32) (ways uint8) {
	s := &c.sets[set]
	for w, have := range s.ids {
		if s.live>>w&1 != 0 && have == id {
			ways |= 1 << w
		}
	}
	return ways
}

// Stick makes ways of a set sticky, a bit each: a lookup has found its id there.
func (c *CacheModel) Stick(set int, ways uint8) { c.sets[set].sticky |= ways }

// Fill brings the answer for an id to the way of a set whose turn it is. It enters
// unless the way is sticky, which it is no longer.
func (c *CacheModel) Fill(set int, id uint32) (way int, enters bool) {
	s := &c.sets[set]
	way = int(s.turn)
	s.turn ^= 1
	if enters = s.sticky>>way&1 == 0; enters {
		s.ids[way], s.live = id, s.live|1<<way
	}
	s.sticky &^= 1 << way
	return way, enters
}
