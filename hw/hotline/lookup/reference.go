package lookup

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/feistel"
)

// Result of a lookup: whether the row was held, and its way in the EAL.
type Result struct {
	Hit bool
	Way int
}

// Keys gives the EAL key of each word of a mini-batch. bases has the id of row 0
// of each lookup slot's table; word k belongs to slot k mod len(bases).
func Keys(p arch.Params, words, bases []uint32) []uint32 {
	keys := make([]uint32, len(words))
	for k, w := range words {
		id := (bases[k%len(bases)] + w) & (1<<p.IDBits() - 1)
		keys[k] = feistel.Permute(p.IDBits(), id)
	}
	return keys
}

// Probe gives the result of each key.
func Probe(t *eal.Tracker, keys []uint32) []Result {
	out := make([]Result, len(keys))
	for i, k := range keys {
		out[i].Hit, out[i].Way = t.Probe(k)
	}
	return out
}
