// Package sim runs elaborated designs. Every engine implements Simulator, or Batch if it runs
// behind a pipe, so the same bench drives any of them.
//
//   - Lockstep combines two engines into one Simulator. Before every clock edge, it compares all
//     outputs and all registers that both engines expose.
//   - Verification compares two engines in blocks of cycles.
//   - Both report the first Divergence, with its source position and a drawing of the last cycles.
//   - Wires transfers all ports of a Simulator in one call, for benches with many cycles; a Pin
//     accesses one port.
//   - A clock port is an input that is 1 in the steps in which it has an edge. A Schedule drives
//     clock ports by period and phase.
//   - A Stimulus generates inputs: Random, or a Trace written by a Recorder.
//   - Hash identifies the design that a Trace was recorded on.
package sim
