package lookup

import "github.com/hotline-rtl/hotline/hw/hotline/arch"

// CacheModel is the reference of an engine's cache, without cycles and without the cached results.
// It tracks which ways of a set have an id, and which way the next answer goes to.
type CacheModel struct{ sets []cacheSet }

// cacheSet is a set. Bit w of live and sticky belongs to way w.
type cacheSet struct {
	ids          [cacheWays]uint32
	live, sticky uint8
	turn         uint8 // way for the next answer
}

// NewCacheModel returns an empty cache.
func NewCacheModel(p arch.Params) CacheModel {
	return CacheModel{make([]cacheSet, sizesOf(p).CacheSets())}
}

// Clear invalidates all entries.
func (c *CacheModel) Clear() { clear(c.sets) }

// Find returns the ways of a set that have an id, as a bit mask.
func (c *CacheModel) Find(set int, id uint32) (ways uint8) {
	s := &c.sets[set]
	for w, have := range s.ids {
		if s.live>>w&1 != 0 && have == id {
			ways |= 1 << w
		}
	}
	return ways
}

// Stick makes the ways in a bit mask sticky, after a lookup has found its id there.
func (c *CacheModel) Stick(set int, ways uint8) { c.sets[set].sticky |= ways }

// Fill offers the answer for an id to the next way of a set. The answer enters unless the way is
// sticky. Then the way loses its sticky bit.
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
