// Package verilog prints a design as plain Verilog-2005, one module per file, for people to
// read and for synthesis and simulation tools to accept.
//
// Hierarchy, loops, arrays and names of the description stay. A vector of N elements of W bits
// is one packed signal of N*W bits, with element i at [i*W +: W]. Assertions are assert, assume
// and cover for formal tools, $error for simulators, and nothing for synthesis.
//
// The text
//
//   - gives no warning from verilator -Wall, iverilog -Wall and yosys check, and turns none off;
//   - has no line of more than 120 characters;
//   - is byte for byte the same for equal designs.
//
// # Architecture
//
// Each decision is made in one place, and every package sees only those above it in this list:
//
//	simplify  rewrites expressions and statements of the IR as a person would write them
//	syntax    the syntax tree of Verilog, and its printer, which decides only layout
//	plan      which statements form an assign, an always block, a connection or nothing
//	build     the syntax tree of a planned module, with names for intermediate values
//	passes    changes of a syntax tree for readers and linters
//	params    one module for all that differ in a Verilog parameter
//
// A module goes through these steps, after the modules that it instantiates:
//
//	simplify  folds constants, removes branches that are never taken        simplify.Module
//	prune     removes what nothing observable depends on                    plan.New
//	group     forms items of statements and puts them in order              plan.New
//	variables chooses between nets and variables                            plan.New
//	connect   connects instance pins that need no wire                      plan.New
//	build     writes items, declares objects, names intermediate values     build.Module
//	passes    joins blocks, places declarations, satisfies linters          passes.Run
//	check     finds illegal names and undeclared objects                    syntax.Module.Check
//	print     breaks lines and aligns columns                               syntax.Module.Text
//
// If modules differ in a parameter of package hw, their trees are compared after these steps.
// Each size must be a multiple of the parameter plus a number. Then one file with a parameter
// replaces theirs (params.Find).
//
// The code contains three kinds of knowledge about tools, and comments name the tool:
//
//   - simplify and build, next to an operator: forms that a tool cannot read or misreads;
//   - passes: forms that a tool warns of;
//   - build, for memories and resets: forms from which a tool infers hardware.
package verilog
