// Package fifo provides first-word fall-through queues in one clock domain. FIFO reads its memory
// combinationally and suits small depths. BlockFIFO reads its memory through a register and suits
// block RAM.
//
// Both preserve the order of words and move one word per cycle in each direction at any depth.
// Valid never waits for ready.
package fifo
