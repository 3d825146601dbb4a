// Package cells converts the cells of a Yosys netlist to expressions and statements of the IR.
//
// Values converts words of nets. A net belongs to a value that the caller binds to it, or to the
// output of a cell. Supported cells are operations, gates of one or two inputs, and memories
// (type $mem_v2) without clocked reads. Registers, ports and instances are left to the caller.
//
// Operations have two states. A division by zero is 0, and so is a bit outside a word. A read beyond
// a memory drops the upper bits of the address; a write there has no effect.
//
// A netlist that cannot be converted causes a panic of type Problem, which Catch turns into an
// error.
package cells
