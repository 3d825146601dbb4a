// Package accel is a functional model of the accelerator: what a driver, host
// memory and the GPUs see of it, at the level of DMA descriptors instead of
// clock cycles. It stands in the place of the simulated hardware where that
// would be too slow, and lets the driver and the training loop be tested
// without it.
//
// It promises what docs/accelerator.md says about registers, rings, commands,
// completions, statuses and addresses; the same reads and writes of rows,
// words, vectors and bitmaps, with as many reads in flight; and the same bits in
// all that it computes, when the hardware learns in the order of the words.
//
// Time is approximate: DMA takes what the link takes; a command takes at least
// as long as its lookups, blocks or beats at the rates of timing.go, which are
// written beside their reasons.
//
// It may import host/node, host/pcie, host/pcie/link and the constants of
// host/driver.
package accel
