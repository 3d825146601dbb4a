// Package lookup holds the lookup engines: they turn the words of a mini-batch
// into row ids, look each up in the EAL, and keep the results.
//
// Engine e has the words k = e (mod E), one per row of its eDRAM bank, and works
// on them in order:
//
//	walk      row and lookup slot of the next word; eDRAM and base are read
//	id        base + word
//	scatter   randomizer, 4 stages; beside it, the cache of answers
//	leave     answered by the cache, or into one of two queues to the EAL
//
// Up to Window words are between walk and commit. Answers come in any order;
// results are committed in order. Real clicks repeat, so each engine keeps its
// recent answers in a cache; otherwise the banks of the hottest rows would serve
// one engine at a time. In learning the cache keeps hits alone: a lookup that it answers
// counts as if it had come right behind the one that hit, where it changes nothing.
//
// Keys and Probe are the reference; Lookup is the hardware. The package imports
// hw, hw/lib, hw/hotline/arch, hw/hotline/randomizer and hw/hotline/eal.
package lookup
