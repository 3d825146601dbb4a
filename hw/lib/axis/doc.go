// Package axis holds AXI4-Stream channels (Arm IHI 0051) of any beat, with the names
// of the specification, and a register slice.
package axis
