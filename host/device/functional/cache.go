package functional

import "github.com/hotline-rtl/hotline/hw/hotline/lookup"

// cache is an engine's cache of answers, with the answers in transit to it.
type cache struct {
	lookup.CacheModel
	arriving answer // leaves the banks in this cycle
	entering answer // may be filled in this cycle
}

// answer identifies the answer of a group of banks by its word's index plus one.
type answer struct {
	word  int32
	group int
}

func (a answer) none() bool { return a.word == 0 }

// clear empties the cache.
func (c *cache) clear() {
	c.Clear()
	c.arriving, c.entering = answer{}, answer{}
}

// find returns the ways that contain the word of a row, one bit per way.
func (x *engines) find(i int, e *engine, row int) (found uint8) {
	if x.uncached {
		return 0
	}
	word := x.word(i, row)
	return e.cache.Find(x.set(word), x.ids[word])
}

// fill writes the pending answer to the cache and advances the next answer.
func (x *engines) fill(e *engine) {
	c := &e.cache
	if a := c.entering; !a.none() {
		c.Fill(x.set(a.word-1), x.ids[a.word-1])
	}
	c.entering, c.arriving = c.arriving, answer{}
}

// set returns the cache set of a word.
func (x *engines) set(word int32) int {
	return lookup.CacheSet(x.p, x.ids[word], int(word)%x.slots)
}
