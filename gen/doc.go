// Package gen turns a design into the files that its users work with: the
// Verilog of every module, a file list and a FuseSoC core for tools, constraints in SDC, and
// a manifest for programs.
//
// Render makes them in memory, for a check of committed files; Write puts them
// into a directory. Equal designs and options give equal bytes. The cycle model in
// Go is gen/gosim's, that for C sim/clib's; host/device/cheader makes a header for drivers.
package gen
