// Package functional implements the functional model of the accelerator. The model simulates the
// behaviour visible to the driver, host memory and the GPUs, including its timing. It works at the
// level of DMA descriptors instead of clock cycles. It replaces the cycle model where the cycle
// model would be too slow.
//
// Package hw/hotline/model defines the function: rings and completions, commands, registers and
// errors, reads, arithmetic, and the hot rows. It is built from the reference models of the
// hardware blocks. This package adds the timing. The times of descriptors and rows follow from
// queues, tags, beats and the link. A sweep moves its words through the queues of the lookup
// engines and the EAL (engines.go, network.go, cache.go). The sweep also determines the order in
// which the banks learn, and the cache hits. Latencies that the hardware description does not name
// are in timing.go.
//
// The model conforms to docs/reference/accelerator.md, with the same bits and counts as the hardware.
// scripts/fidelity measures the timing error, and docs/evidence/verification.md bounds it.
package functional
