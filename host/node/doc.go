// Package node models the machine beyond the slot: simulated time, who is
// busy until when, what is in memory, and how long the work of CPUs, GPUs and
// their interconnects takes.
//
// It promises
//   - determinism: one goroutine, integer picoseconds, ties in insertion
//     order; the same calls give the same times on every machine;
//   - that a clock which sleeps changes the cost of a simulation, never its
//     result;
//   - that a simulation in which no event is left, but something is still waited
//     for, ends with an error that names it;
//   - that the constants of CPUs, GPUs and interconnects are fields of [Machine]
//     with their sources beside them, so that a configuration file can replace
//     them. What the functions of the timing model count is in their comments.
//
// It imports only the standard library. PCIe is built on top of it, in
// host/pcie/link.
package node
