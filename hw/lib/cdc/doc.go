// Package cdc transfers values from one clock domain to another. Its components are functions that
// describe hardware in a module whose clocks are ports:
//
//   - TwoFlop: a bit that is stable for more than one cycle of the destination clock.
//   - Gray: a counter. The result is a recent value of the counter.
//   - Pulse: events, each one cycle long in both domains.
//   - Handshake: a stream, with one word in flight.
//   - FIFO: a stream, with one word per cycle.
//
// Registers that capture values of another clock have the attribute async_reg. Elaboration
// requires that a register drives each synchroniser, without logic in between. It also requires
// that two crossings between the same clocks do not reconverge after their synchronisers. The
// crossings of a Handshake or a FIFO may reconverge, because their protocols wait for each word.
//
// Except for TwoFlop, both clocks of a component need a reset. The two resets must be active
// together for four edges of each clock. A reset of only one side can lose or repeat events and
// words.
//
// Simulation assumes that a register has settled by the next edge of its clock. In hardware, a bit
// that changes at the moment of capture may arrive one cycle earlier or later. hw.LateCrossings
// simulates and proves designs with this variation.
package cdc
