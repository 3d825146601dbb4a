// Package cdc takes values from one clock to another. Its parts are functions, which
// describe their hardware in a module whose clocks are ports:
//
//   - TwoFlop: a bit that stays for more than a cycle of the clock that takes it.
//   - Gray: a counter. What arrives is a value that it had.
//   - Pulse: events, each a cycle long here and there.
//   - Handshake: a stream, with a word on its way at a time.
//   - FIFO: a stream, a word per cycle.
//
// Registers that take what another clock drives have the attribute async_reg. Elaboration
// requires that a register drives each synchroniser, without logic between the two, and
// that two crossings from one clock to another do not meet again behind their
// synchronisers. The crossings of a Handshake and of a FIFO may meet others: words wait
// for each other.
//
// Both clocks of all parts but TwoFlop need a reset, and the two resets have to act
// together for four edges of each: after one alone, events and words can be lost or
// repeated.
//
// Simulation takes registers to be settled at the next edge of their clock. In hardware a
// bit that changes while it is taken arrives a cycle earlier or later.
// hw.LateCrossings simulates and proves designs with that.
package cdc
