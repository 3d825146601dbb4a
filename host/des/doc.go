// Package des simulates what a machine beyond the slot is made of: time, who is
// busy until when, and what is in memory. How long the work of CPUs and GPUs takes
// is in machine, and who waits for whom in a training in timeline.
//
// It promises
//   - determinism: one goroutine, integer picoseconds, ties in insertion
//     order; the same calls give the same times on every machine;
//   - that a clock which sleeps, and a lane of events, change the cost of a
//     simulation, never its result;
//   - that a simulation in which no event is left, but something is still waited
//     for, ends with an error that names it.
//
// PCIe is built on top of it, in host/pcie/link.
package des
