// Package verilog prints a design as plain Verilog-2005, one module per file,
// for people to read and for synthesis and simulation tools to accept.
//
// Hierarchy, loops, arrays and names of the description are kept. A vector of
// N elements of W bits is one packed signal of N*W bits, element i at
// [i*W +: W]. The result is free of warnings from verilator -Wall, iverilog
// -Wall and yosys check, turns none of them off, has no line of more than 120 characters,
// and is the same, byte for byte, for equal designs.
//
// Assertions stand between `ifdef FORMAL and `endif: as assert, assume and cover for
// formal tools, as $error for simulators, and as nothing for tools with SYNTHESIS.
//
// Modules that differ in a parameter of package hw are one with a Verilog parameter: their
// trees are compared size by size, and each is to be a multiple of the parameter plus a
// number (generic.go, sizes.go, spelling.go).
//
// The work goes in passes over one module at a time:
//
//	simplify  expressions as a person would write them (simplify.go, rewrite.go, alike.go, select.go, fold.go)
//	prune     what no output, instance or assertion depends on goes (prune.go)
//	plan      which statements form an assign, which an always block (plan.go, group.go, depend.go)
//	connect   instance pins that need no wire of their own (pins.go)
//	build     a Verilog syntax tree, with names for intermediate values (build.go, expr.go, stmt.go, name.go, kept.go)
//	merge     clocked blocks of one guard are one (merge.go)
//	tidy      wires declared where they are assigned (tidy.go)
//	keep      constants that tools would warn of are hidden from them, unread bits listed (opaque.go, constant.go, unused.go)
//	radix     numbers that are compared have one radix (radix.go)
//	check     every name is one and declared where it is used, or there is no text (check.go)
//	print     layout only (print.go, printstmt.go, layout.go)
package verilog
