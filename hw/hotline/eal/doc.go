// Package eal is the embedding access logger: a set-associative tracker of hot
// rows in many banks, with SRRIP replacement, between the lookup engines and
// their answers (Section V of the Hotline paper).
//
// It sees keys: row ids that the randomizer has permuted. From the low end a key
// consists of bank, set (its number within the bank) and tag. Tracker is the
// reference; EAL is the hardware, with the blocks of the paper's Figure 14:
//
//	queue       2 streams of requests of each engine, by the low bank bit;
//	   |        2 crossbars (even banks, odd banks), each with the engines in 2
//	   |        interleaved groups, queues at the crosspoints of bank and group
//	bank        a lookup per cycle; to learn a change takes one more
//	   |        2 queues of answers per bank, by the low bit of the engine
//	answers     2 crossbars (even engines, odd engines), each with the banks in 4
//	   |        interleaved groups; up to 4 answers per engine and cycle, one of
//	            each group
//	controller  clears the banks after a reset, counts the requests under way
//
// A request has a ticket, its place in the engine's window, which the answer
// brings back; answers may overtake each other. What is sent is in format.go.
//
// The package imports hw, hw/enum, hw/lib and hw/hotline/arch.
package eal
