// Package late lets the crossings of a design arrive late: a pass over the IR gives each
// synchroniser a register with the value that it took last, and an input that chooses
// between this value and the present one. So every engine, every simulator of the Verilog
// and a proof can have crossings that take a cycle more or less, as they do in hardware
// where a value changes just when it is taken.
package late
