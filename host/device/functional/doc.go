// Package functional is the functional model of the accelerator: what a driver, host
// memory and the GPUs see of it, and when, at the level of DMA descriptors instead
// of clock cycles. It stands in the place of the simulated hardware where that
// would be too slow.
//
// What the accelerator does is said by package hw/hotline/model, which is put together
// from the reference models beside the hardware's own description: rings and
// completions, commands, registers and refusals, reads, arithmetic, the hot rows. What
// is here is when. The times that descriptors leave and rows are taken follow from
// queues, tags, beats and the link; a sweep moves its words through the queues of the
// lookup engines and the EAL (engines.go, network.go, cache.go), which also gives the
// order in which the banks learn and what the caches answer. What the description of the
// hardware does not name stands in timing.go.
//
// It promises what docs/reference/accelerator.md says, with the same bits and counts as the
// hardware, and times whose error scripts/fidelity prints and docs/evidence/verification.md
// bounds.
package functional
