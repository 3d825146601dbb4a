// Package sim runs elaborated designs. Engines implement Simulator, or Batch if
// they are reached through a pipe; the same bench drives any of them.
//
//   - Lockstep is two engines as one Simulator. It compares all outputs, and all
//     registers that both can show, before every clock edge.
//   - Verification compares two engines in blocks of cycles.
//   - Both report the first Divergence with its place in the source and the last
//     cycles as a drawing.
//   - Wires carry all ports of a Simulator at once, for benches that run long; a Pin is
//     one port.
//   - A clock that is a port of the design is an input that is 1 in the steps in which it
//     has an edge; a Schedule drives such clocks by period and phase.
//   - A Stimulus gives the inputs: Random, or a Trace that a Recorder wrote.
//   - Hash identifies the design that a Trace was recorded on.
package sim
