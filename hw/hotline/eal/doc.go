// Package eal implements the embedding access logger (EAL, Section V of the Hotline paper): a
// set-associative tracker of hot rows, in many banks, with SRRIP replacement.
//
// The EAL tracks keys: row ids that the randomizer has permuted. From the low end, a key consists
// of bank, set (its number within the bank) and tag. Tracker is the reference. EAL is the hardware,
// with the blocks of the paper's Figure 14:
//
//	queue       2 streams of requests of each engine, by the low bank bit;
//	   |        2 crossbars (even banks, odd banks), each with the engines in 2
//	   |        interleaved groups, queues at the crosspoints of bank and group
//	bank        a lookup per cycle; a learning access that changes its set takes two
//	   |        2 queues of answers per bank, by the low bit of the engine
//	answers     2 crossbars (even engines, odd engines), each with the banks in 4
//	   |        interleaved groups; up to 4 answers per engine and cycle, one from
//	            each group
//	controller  clears the banks after a reset, counts the requests in flight
//
// The answer to a request returns its ticket, which is its position in the engine's window. Answers
// may overtake each other. format.go defines the formats.
package eal
