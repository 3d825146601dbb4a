// Package axis provides AXI4-Stream channels (Arm IHI 0051) with arbitrary beats and the signal
// names of the specification, and a register slice.
package axis
