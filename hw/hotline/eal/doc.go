// Package eal is the embedding access logger: a set-associative tracker of hot
// rows in many banks, with SRRIP replacement, between the lookup engines and
// their answers (Section V of the Hotline paper).
//
// It sees keys: row ids after the Feistel permutation. From the low end a key
// consists of bank, row (the set within the bank) and tag. Tracker is the
// reference; EAL is the hardware:
//
//	requests  2 queues of each engine, by the low bank bit
//	   |      2 crossbars (even banks, odd banks), each with the engines in 2
//	   |      interleaved groups, queues at the crosspoints of bank and group
//	banks     probe: a lookup per cycle; learn: one every 3 cycles
//	   |      2 queues of answers per bank, by the low bit of the engine
//	   |      2 crossbars (even engines, odd engines), each with the banks in 4
//	   |      interleaved groups
//	answers   up to 4 per engine and cycle, one of each group
//
// A request keeps its engine's slot until the answer, which may overtake
// others. The layout of requests and answers is in format.go.
//
// The package imports hw, hw/lib and hw/hotline/arch.
package eal
