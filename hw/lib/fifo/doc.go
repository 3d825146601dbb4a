// Package fifo holds first-word fall-through queues in one clock domain: FIFO
// reads its memory in the same cycle and suits small depths, BlockFIFO reads it
// through a register and suits block RAM.
//
// Both keep the order, move one word per cycle in each direction at any depth,
// and never let valid wait for ready.
package fifo
