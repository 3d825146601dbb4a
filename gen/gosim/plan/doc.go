// Package plan turns a design into operations on arrays of lanes and decides how to evaluate them.
//
// New flattens a design, which removes the hierarchy and false loops, and then vectorizes it:
// operations from the same expression in all iterations of a loop become one operation on an array.
// The types are in plan.go; roll.go, connect.go and effects.go build them. cycles.go separates
// operations that would depend on themselves. form.go describes which lane reads which lane. The
// passes follow, in the order of the table in passes.go:
//
//   - shift.go, decode.go: narrow shifts of wide values, and shifts instead of decoded numbers;
//   - portnames.go: Go names of ports;
//   - enable.go: masks of lanes for registers that hold their values (clear.go adds the
//     conditions that reset registers, before the first pass);
//   - packed.go: evaluate several lanes of 8, 16 or 32 bits at a time in a word, and keep
//     fields of 16-bit lanes in lanes of 16 bits; view.go treats single bits as views of words;
//   - masks.go: masks for nodes whose results are needed in some lanes only;
//   - choices.go: choices by a number, such as a read of registers by address;
//   - order.go: form units of consecutive nodes; a small design is a single unit;
//   - sink.go: move nodes to the unit that uses them;
//   - parts.go: split loops into units that share no value;
//   - direct.go: read inputs directly from the input structure;
//   - storage.go: store values used outside their unit, and list their readers, which must be
//     notified of a change. layout.go defines the memory layout;
//   - branches.go: evaluate nodes of single lanes in the arms of branches that need them (block.go).
//     commits.go sets registers and writes memories there, if the design has single lanes only;
//   - derive.go: keep values of registers that seldom change.
//
// A plan for a batch of instances (widen.go) uses only the passes that help there.
//
// Printers query the plan for patterns: adjacent.go and runs.go find consecutive lanes,
// rearrangement.go the cheapest way to move bits, vectorable.go operations that vectors support.
// Verify checks the invariants between passes. String formats a plan as text.
package plan
