// Package gen generates the output files of a design: the Verilog of every module, a file list and
// a FuseSoC core for tools, constraints in SDC, and a manifest for programs.
//
// Render generates them in memory, for a check of committed files; Write writes them to a
// directory. Equal designs and options yield equal bytes. Other packages generate the cycle model
// in Go (gen/gosim), the model for C (sim/clib) and a header for drivers (host/device/cheader).
package gen
