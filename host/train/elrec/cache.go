package elrec

import (
	"github.com/hotline-rtl/hotline/host/device/server"
	"github.com/hotline-rtl/hotline/host/train"
)

// cache holds the rows whose steps host memory may lack. All GPUs have the same rows in the same
// slots.
type cache struct {
	gpus  []*server.Region
	slots []cached
	at    map[key]int // slot of a row
	free  []int       // free slots; the last is taken next
	most  int         // maximum number of rows at a time
}

// cached is a slot.
type cached struct {
	key
	life int // remaining mini-batches; 0 if the slot is free
}

// storeName names the cache in a watch.
const storeName = "embedding cache"

// newCache allocates memory on each GPU for a number of rows.
func newCache(s *server.Server, rows, rowBytes int) *cache {
	c := &cache{slots: make([]cached, rows), at: map[key]int{}}
	for i := range rows {
		c.free = append(c.free, rows-1-i)
	}
	for _, g := range s.GPUs {
		c.gpus = append(c.gpus, g.Memory.Alloc(storeName, rows*rowBytes))
	}
	return c
}

// keep returns the slot of a row, which now stays for life mini-batches. There are enough slots for
// all rows that can be in the cache.
func (c *cache) keep(k key, life int, w train.Watch) int {
	slot, ok := c.at[k]
	if !ok {
		slot = c.free[len(c.free)-1]
		c.free = c.free[:len(c.free)-1]
		c.at[k] = slot
		w.Keep(storeName, slot, k.table, k.index)
	}
	c.slots[slot] = cached{k, life}
	c.most = max(c.most, len(c.at))
	return slot
}

// age ages each row by a mini-batch and drops expired rows.
func (c *cache) age(w train.Watch) {
	for slot := range c.slots {
		s := &c.slots[slot]
		if s.life == 0 {
			continue
		}
		if s.life--; s.life == 0 {
			delete(c.at, s.key)
			c.free = append(c.free, slot)
			w.Drop(storeName, slot)
		}
	}
}
