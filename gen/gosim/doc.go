// Package gosim makes a Go package from a design: a cycle model of it, exact and
// made for speed (docs/performance.md has the figures).
//
// The design is flattened, so that hierarchy and false loops are gone, and then
// rolled up again: operations that come from the same expression in all copies
// of a loop become one operation on an array (plan.go has the types, roll.go,
// connect.go and effects.go make them, form.go describes which lane reads which).
// What follows decides how that is evaluated:
//
//   - shift.go, decode.go: shifts in place of wide values and decoded numbers of
//     which little is used;
//   - clear.go: registers that a condition resets get it as a value, of one lane if
//     they can;
//   - enable.go: registers that hold their values, and nodes of use in some lanes
//     only, get a mask of lanes;
//   - packed.go: lanes of 8, 16 or 32 bits are evaluated several at a time in a
//     word, and a field of lanes of 16 stays in its lanes; view.go takes single bits as
//     views of words;
//   - order.go: nodes that follow each other become units, functions each; a small
//     design is a single one, which reads inputs where users put them (direct.go);
//   - sink.go: nodes move to the unit that uses them;
//   - storage.go: values used outside their unit are stored, and know who must be
//     told of a change. layout.go says how they lie in memory.
//
// The rest prints. emit.go prints units: one-bit values 64 lanes in a word,
// packedcode.go several lanes in a word, all else lane by lane, with
// compute.go (operators), list.go (operators on lists), gather.go and bitperm.go
// (rearrangements) and read.go (operands). What is done in many lanes is printed for
// each level: lower.go makes kernels of it, one for each size of words in a unit
// (lowersize.go; lowerread.go what they read, lowerop.go and lowerlist.go what they do,
// lowerwide.go with values of several words, lowerwrite.go what they do with memories), which
// package kernel prints as assembly for AVX2 and AVX-512; New chooses the level at run time.
// edge.go prints what happens at a clock
// edge, model.go, ports.go, simulator.go and state.go what users of the package see.
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
// what users see of a copy.
//
// Generated packages need sim/compiled/model and what that needs, and a
// little-endian machine.
package gosim
