// Package gosim makes a Go package from a design: a cycle model of it, exact and made for speed (docs/evidence/performance.md has
// the figures). docs/explanation/cycle-model.md shows an example on its way, as Dump prints it.
//
// # Architecture
//
// A design goes down this list. Each package imports only packages above it; those marked with * make kernels.
//
//	split     only for copies: takes the flattened design apart into words
//	plan      operations on arrays of lanes, and the passes that decide how these are evaluated
//	names     what functions and fields are called
//	kernel    * operations on vectors, and what prints them as assembly
//	  avx2, avx512   * the instructions for these
//	lower     * from units of a plan to kernels
//	cycle     * from whole cycles of copies to kernels
//	code      Go that is still to be printed: expressions and statements
//	storage   the fields of a model, and expressions for what these hold
//	expr      from operations of a plan to expressions
//	funcs     from units, clock edges and ports to functions
//	gosim     the files of the package
//
// Package guard turns mistakes of all of these into errors. plan makes all decisions; what prints makes none.
//
// # Files
//
// A generator prints the files (files.go, generator.go). model.go and templates/ print the model and what does not depend
// on the design, ports.go and simulator.go the access to ports, state.go and paths.go the access to registers and
// memories, contents.go what memories hold at first, checks.go assertions, snapshot.go what keeps a state. folder.go writes
// the files into a folder. New chooses between kernels and Go at run time.
//
// # Guarantees
//
// A unit is evaluated only when something that it reads has changed since it last was, or a register there has taken a
// value, so that an idle design costs next to nothing; that is exact, not a hint. The single unit of a small design is
// evaluated after every edge, which Run skips while nothing changes; what reads registers with a reset, after every edge in
// reset.
//
// The same design always gives the same files. Generated packages need sim/compiled/model and what that needs, and a
// little-endian machine.
//
// # Copies
//
// GenerateCopies makes a model of copies of a design that run side by side (copies.go). Each value has a lane for each
// copy, so that everything is done in many lanes. copyview.go and state.go put together again what users see of a copy.
// With AVX-512 kernels go through whole cycles, a block of copies after the other, and no unit is evaluated (cycle.go).
// More copies than lanes are a batch of models (batch.go).
package gosim
