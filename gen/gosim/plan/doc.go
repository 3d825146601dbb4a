// Package plan is a design as operations on arrays of lanes, and decides how these are
// evaluated.
//
// New flattens a design, so that hierarchy and false loops are gone, and then rolls it up
// again: operations that come from the same expression in all copies of a loop become one
// operation on an array (plan.go has the types; roll.go, connect.go and effects.go make
// them; cycles.go keeps apart what would depend on itself; form.go describes which lane
// reads which). Then come the passes, in the order of their table (passes.go):
//
//   - shift.go, decode.go: shifts in place of wide values and decoded numbers of
//     which little is used;
//   - portnames.go: names of ports;
//   - enable.go: registers that hold their values get a mask of lanes; those that a
//     condition resets have it from the beginning (clear.go);
//   - packed.go: lanes of 8, 16 or 32 bits are evaluated several at a time in a
//     word, and a field of lanes of 16 stays in its lanes; view.go takes single bits as
//     views of words;
//   - masks.go: nodes of use in some lanes only get a mask;
//   - choices.go: a choice by a number, as of registers that an address selects;
//   - order.go: nodes that follow each other become units; a small design is a single one;
//   - sink.go: nodes move to the unit that uses them;
//   - parts.go: parts of a loop that have no value in common become units of their own;
//   - direct.go: inputs that are read where users put them;
//   - storage.go: values used outside their unit are stored, and know who must be
//     told of a change. layout.go says how they lie in memory.
//
// A plan of copies of a design (widen.go) goes through those passes that are of use there.
//
// What prints a plan asks it for patterns: adjacent.go and runs.go (lanes in a row),
// rearrangement.go (the cheapest way to move bits), vectorable.go (what vectors can do).
// Verify says what must hold between passes, String is a plan as text.
package plan
