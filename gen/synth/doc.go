// Package synth maps a design to the standard cells of a liberty file with Yosys, and analyses its
// timing and power with OpenSTA. It can also map a design to an FPGA.
//
// A design is cut into blocks (blocks.go): subtrees of the hierarchy that are small enough to be
// mapped flat, and the logic around them. Each block is mapped separately (yosys.go). Its memories
// are replaced (netlist.go) by macros whose area and delay follow a documented model (memory.go).
// Nets that drive many blocks get trees of buffers (mapped.go).
//
// The analysis of a block (sta.go) includes the boundary logic of the blocks inside it (edge.go)
// and their results. So the results of the last block are those for the whole chip. Ends of a
// critical path are reported with their position in the Go source (places.go).
//
// Wires, the clock tree and clock uncertainty are not modelled. The results show what logic and
// memories allow before placement.
package synth
