// Package lookup implements the lookup engines. They convert the words of a mini-batch to row ids,
// look up each in the EAL, and store the results.
//
// Engine e of E processes the words k with k mod E = e, one per row of its eDRAM bank, in order.
// Its pipeline has these stages:
//
//	walk      row and lookup slot of the next word; eDRAM and base are read
//	id        base + word
//	scatter   randomizer, 4 stages; in parallel, the cache of results
//	leave     answered by the cache, or into one of two queues to the EAL
//
// Up to Window words are between walk and commit. Answers arrive in any order; results are
// committed in order.
//
// Real click logs repeat the same rows, so each engine caches its recent results. Without the
// caches, the banks of the hottest rows would serve one engine at a time. While learning, the cache
// keeps hits only. A lookup that the cache answers is equivalent to a lookup immediately after that
// hit, which would change nothing.
//
// Keys and Probe are the reference; Lookup is the hardware.
package lookup
