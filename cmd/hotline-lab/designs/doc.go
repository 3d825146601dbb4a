// Package designs describes designs of others in HCL, imports them, and compares them with
// Verilator on the original files. The files are not part of the project: a folder contains the
// checkouts.
//
// A description names the files, the top module, its parameters, clock and reset. A bench of this
// package may be the top, for example a memory with a program around a processor.
package designs
