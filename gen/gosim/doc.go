// Package gosim makes a Go package from a design: a cycle model of it, exact and
// made for speed (docs/evidence/performance.md has the figures).
//
// Package plan makes operations on arrays of lanes of the design and decides how these are
// evaluated; what is here decides nothing, and prints. docs/explanation/cycle-model.md shows an example
// on its way, as Dump prints it.
//
// emit.go makes functions of units, as trees of package code: one-bit values 64 lanes in a word,
// packedcode.go several lanes in a word, all else lane by lane, with compute.go and wide.go
// (operators), list.go (operators on lists), gather.go and bitperm.go (rearrangements), read.go
// and cut.go (operands and their bits) and access.go (storage). What is done in many lanes is
// also a kernel at each level that has one: package lower makes them, and package kernel prints
// them as assembly for AVX2 and AVX-512; New chooses the level at run time. Package names says what all
// of it is called.
//
// edge.go and clearing.go do what happens at a clock edge, model.go, ports.go, inplace.go, simulator.go and
// state.go what users of the package see; templates/ has what does not depend on the design.
//
// A unit is evaluated only when something that it reads has changed since it last
// was, or a register there has taken a value, so that an idle design costs next to
// nothing; that is exact, not a hint. The single unit of a small design is evaluated
// after every edge, which Run skips while nothing changes; what reads registers with
// a reset, after every edge in reset.
//
// GenerateCopies makes a model of copies of a design that run side by side (copies.go): the
// flattened design is taken apart into words (package split), and each value has a lane for each
// copy, so that everything is done in many lanes. stored.go and copiesview.go put together again
// what users see of a copy. With AVX-512 kernels go through whole cycles, a block of copies after
// the other, and no unit is evaluated (blocks.go). More copies than lanes are a batch of models
// (batch.go).
//
// Generated packages need sim/compiled/model and what that needs, and a
// little-endian machine.
package gosim
