// Package cdc takes values from one clock to another. Its parts are functions, which
// describe their hardware in a module whose clocks are ports:
//
//   - TwoFlop: a bit that stays for more than a cycle of the clock that takes it.
//   - Gray: a counter. What arrives is a value that it had.
//   - Pulse: events, each a cycle long here and there.
//   - Handshake: a stream, with a word on its way at a time.
//   - FIFO: a stream, a word per cycle.
//
// Registers that take what another clock drives have the attribute async_reg, and no
// logic before them. Both clocks of all parts but TwoFlop need a reset, and the two
// resets have to act together for three edges of each: after one alone, events and words
// can be lost or repeated. Simulation takes registers to be settled at the next edge of their clock;
// the time that a real one may need is why there are two.
package cdc
