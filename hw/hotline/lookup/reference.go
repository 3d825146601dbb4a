package lookup

import (
	"github.com/hotline-rtl/hotline/hw/hotline/arch"
	"github.com/hotline-rtl/hotline/hw/hotline/eal"
	"github.com/hotline-rtl/hotline/hw/hotline/randomizer"
)

// Result is the result of a lookup: whether the EAL held the row, and the way of the row.
type Result struct {
	Hit bool
	Way int
}

// IDs returns the row id of each word of a mini-batch. bases has the id of row 0 of each lookup
// slot's table. Word k belongs to slot k mod len(bases).
func IDs(p arch.Params, words, bases []uint32) []uint32 {
	ids := make([]uint32, len(words))
	slot := 0
	for k, w := range words {
		ids[k] = (bases[slot] + w) & (1<<p.IDBits() - 1)
		if slot++; slot == len(bases) {
			slot = 0
		}
	}
	return ids
}

// Keys returns the EAL key of each word of a mini-batch. The arguments are as for IDs.
func Keys(p arch.Params, words, bases []uint32) []uint32 {
	keys := IDs(p, words, bases)
	for k, id := range keys {
		keys[k] = randomizer.Permute(p.IDBits(), id)
	}
	return keys
}

// CacheSet returns the set of an engine's cache for an id of a lookup slot.
func CacheSet(p arch.Params, id uint32, slot int) int {
	return (int(id) ^ int(id)>>7 ^ slot*saltFactor) & (sizesOf(p).CacheSets() - 1)
}

// Probe returns the result of each key.
func Probe(t *eal.Tracker, keys []uint32) []Result {
	out := make([]Result, len(keys))
	for i, k := range keys {
		out[i].Hit, out[i].Way = t.Probe(k)
	}
	return out
}
