package accel

import "github.com/hotline-rtl/hotline/hw/hotline/lookup"

// cache is an engine's cache of answers, as hw/hotline/lookup describes it.
type cache struct {
	sets     []cacheSet
	arriving answer // on its way, from the banks
	entering answer // may enter in this cycle
}

// cacheSet is a set of two ways. Bit w of live and sticky is way w's.
type cacheSet struct {
	ids          [2]uint32
	live, sticky uint8
	turn         uint8 // the way that the next answer goes to
}

// answer is that to a word, whose number plus one it has, from a group of banks.
type answer struct {
	word  int32
	group int
}

func (a answer) none() bool { return a.word == 0 }

func newCache(entries int) cache { return cache{sets: make([]cacheSet, entries/2)} }

func (c *cache) clear() {
	clear(c.sets)
	c.arriving, c.entering = answer{}, answer{}
}

// find gives the ways that have the word of a row.
func (x *engines) find(i int, e *engine, row int) (found uint8) {
	if x.learn {
		return 0
	}
	word := x.word(i, row)
	s := x.set(e, word)
	for w, id := range s.ids {
		if s.live>>w&1 != 0 && id == x.ids[word] {
			found |= 1 << w
		}
	}
	return found
}

// fill lets an answer enter: into the way whose turn it is, unless that is sticky,
// which it then is no longer.
func (x *engines) fill(e *engine) {
	c := &e.cache
	if a := c.entering; !a.none() {
		s := x.set(e, a.word-1)
		way := s.turn
		s.turn ^= 1
		if s.sticky>>way&1 == 0 {
			s.ids[way], s.live = x.ids[a.word-1], s.live|1<<way
		}
		s.sticky &^= 1 << way
	}
	c.entering, c.arriving = c.arriving, answer{}
}

// set is the set of a word.
func (x *engines) set(e *engine, word int32) *cacheSet {
	return &e.cache.sets[lookup.CacheSet(x.p, x.ids[word], int(word)%x.slots)]
}
