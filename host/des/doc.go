// Package des is a discrete-event simulation kernel with models of shared resources and memory. It
// simulates everything outside the accelerator. Package machine models how long the work of CPUs
// and GPUs takes, and package timeline models the dependencies of a training run.
//
// The package guarantees:
//   - Determinism: there is one goroutine, times are integer picoseconds, and simultaneous events
//     run in insertion order. The same calls give the same times on every machine.
//   - A sleeping clock or a lane of events changes the cost of a simulation, but never its result.
//   - If no event is left but a condition is still awaited, the simulation ends with an error that
//     names the waiting components.
//
// Package host/pcie/link implements PCIe on top of it.
package des
