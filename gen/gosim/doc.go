// Package gosim generates a Go package from a design: an exact, fast cycle model of it.
// docs/evidence/performance.md contains measurements. docs/explanation/cycle-model.md follows an
// example through the stages that Dump prints.
//
// # Architecture
//
// A design passes through this list from top to bottom. Each package imports only packages above
// it. Packages marked with * make kernels.
//
//	split     only for batches of instances: splits the flattened design into words
//	plan      operations on arrays of lanes, and the passes that decide how to evaluate them
//	names     names of functions and fields
//	kernel    * operations on vectors, and their translation to assembly
//	  avx2, avx512   * the instructions for these targets
//	lower     * from units of a plan to kernels
//	cycle     * from whole cycles of a batch to kernels
//	code      intermediate form of Go expressions and statements
//	storage   the fields of a model, and expressions that access them
//	expr      from operations of a plan to expressions
//	funcs     from units, clock edges and ports to functions
//	gosim     the files of the package
//
// Package guard turns internal errors of all of these packages into errors. The plan makes all
// decisions; printers make none.
//
// # Files
//
// A generator prints the files (files.go, generator.go). model.go and templates/ print the model
// and the code that does not depend on the design. ports.go and simulator.go print the access to
// ports; state.go and paths.go print the access to registers and memories. contents.go prints the
// initial contents of memories, checks.go prints assertions, and snapshot.go prints snapshots of
// the state. folder.go writes the files to a directory. New chooses between kernels and Go at run time.
//
// # Guarantees
//
// A unit is evaluated only if one of its inputs has changed since its last evaluation, or one of
// its registers has taken a value. An idle design therefore costs next to nothing. This is exact,
// not a heuristic. Two exceptions: the single unit of a small design is evaluated after every edge,
// and Run skips edges while nothing changes. Readers of registers with a reset are evaluated after
// every edge in reset.
//
// The same design always gives the same files. Generated packages need sim/compiled/model, its
// dependencies, and a little-endian machine.
//
// # Copies
//
// GenerateCopies generates a model of a batch of instances ("copies") of a design (copies.go). Each
// value has a lane for each instance, so that every operation processes many lanes. copyview.go and
// state.go present a single instance to users. With AVX-512, kernels process whole cycles, one
// block of instances after the other, and no unit is evaluated (cycle.go). More instances than
// lanes form a batch of models (batch.go).
package gosim
