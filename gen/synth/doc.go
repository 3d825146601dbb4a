// Package synth maps a design to the standard cells of a liberty file with Yosys, and
// analyses its timing and power with OpenSTA; or maps it to an FPGA.
//
// A design is cut into blocks (blocks.go): subtrees of the hierarchy that are small enough
// to be mapped flat, and what is left around them. Each is mapped by itself (yosys.go), its
// memories replaced (netlist.go) by macros whose area and delay follow a stated model
// (memory.go), and nets that go to many blocks get trees of buffers (mapped.go). The analysis
// of a block (sta.go) includes the edges of the blocks inside it (edge.go) and what was found
// in them, so that the last one is that of the whole chip. Ends of a critical path are told
// with their place in the Go source (places.go).
//
// There are no wires, no clock tree and no uncertainty of the clock: what comes out is what
// logic and memories allow before placement.
package synth
