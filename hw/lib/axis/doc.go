// Package axis declares AXI4-Stream ports (Arm IHI 0051) by prefix, packs their
// payload into a word for the other stream parts, and holds a register slice.
//
// Names follow the specification: prefix_tdata, prefix_tkeep and so on.
package axis
