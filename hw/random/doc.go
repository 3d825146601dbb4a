// Package random generates random valid designs, for tests that compare the results of several
// consumers of a design.
//
// The generator uses package hw like any user and covers the whole language:
//
//   - every operator, on widths at and around the sizes of machine words;
//   - vectors, memories of all styles, registers with and without reset, and state machines;
//   - nested conditions and loops, and loops with more iterations than a machine word has bits;
//   - arrays of instances, modules that share modules, and combinational paths through instances
//     in both directions;
//   - in some designs several clocks, with all kinds of resets or none, and external Verilog
//     modules with models;
//   - in some modules widths that are a Verilog parameter.
//
// Widths range from 1 to 1,025; small widths and word boundaries are the most frequent. Memories
// have up to 70,000 words and vectors up to 300 lanes. Some pieces are structures that engines
// optimize as a whole: CRCs, leading-zero counts, large switches, rotations, sticky shifts, equal
// lanes, rows of about 512 bits, and wide products.
//
// Every module has an output, digest, that depends on its signals, so that little of a design is
// dead. The size of a design is bounded. Each module favours one kind of piece and one operator,
// and some modules have long names. Combinations that are rare in most modules are therefore
// frequent in some. Together joins several designs into one.
//
// The same seed and options yield the same design until this package or hw changes. To preserve a
// design, keep its text, not its seed.
//
// The package is for tests only.
package random
