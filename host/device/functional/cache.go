package functional

import "github.com/hotline-rtl/hotline/hw/hotline/lookup"

// cache is an engine's cache of answers, with those on their way to it.
type cache struct {
	lookup.CacheModel
	arriving answer // from the banks
	entering answer // may enter in this cycle
}

// answer is that to a word, whose number plus one it has, from a group of banks.
type answer struct {
	word  int32
	group int
}

func (a answer) none() bool { return a.word == 0 }

// clear forgets everything.
func (c *cache) clear() {
	c.Clear()
	c.arriving, c.entering = answer{}, answer{}
}

// find gives the ways that have the word of a row.
func (x *engines) find(i int, e *engine, row int) (found uint8) {
	if x.uncached {
		return 0
	}
	word := x.word(i, row)
	return e.cache.Find(x.set(word), x.ids[word])
}

// fill lets an answer enter.
func (x *engines) fill(e *engine) {
	c := &e.cache
	if a := c.entering; !a.none() {
		c.Fill(x.set(a.word-1), x.ids[a.word-1])
	}
	c.entering, c.arriving = c.arriving, answer{}
}

// set is the set of a word.
func (x *engines) set(word int32) int {
	return lookup.CacheSet(x.p, x.ids[word], int(word)%x.slots)
}
